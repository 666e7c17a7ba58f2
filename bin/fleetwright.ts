#!/usr/bin/env node
// First: what is loaded before it is compiled anew each time.
import './compile-cache.js';
import { main } from './main.js';
import { processWorld } from './world.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `fleetwright needs Node 22.12 or newer, this is ${process.versions.node}. In a clone, \`npm run -s fleetwright --\` brings its own (README, "Which Node").\n`,
  );
  process.exitCode = 1;
} else {
  void main(process.argv.slice(2), processWorld()).then((code) => {
    process.exitCode = code;
  });
}
