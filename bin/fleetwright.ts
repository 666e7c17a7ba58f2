#!/usr/bin/env node
import { main } from './main.js';
import { processWorld } from './world.js';

void main(process.argv.slice(2), processWorld()).then((code) => {
  process.exitCode = code;
});
