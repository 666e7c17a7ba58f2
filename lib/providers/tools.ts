import { createHash } from 'node:crypto';
import { parse, stringify } from 'yaml';
import { validateDocument, withDefaults } from '../api/index.js';
import type { Interpreter } from '../engine/interpret/interpreter.js';
import type { Tools } from '../engine/input.js';

/** The pure functions the engine takes from libraries: hashing, YAML, schemas. */
export function standardTools(interpreters: readonly Interpreter[] = []): Tools {
  return {
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    parseYaml: (text) => parse(text, { maxAliasCount: 100 }) as unknown,
    printYaml: (value) => stringify(value, { lineWidth: 0 }),
    validate: (object) => validateDocument(object),
    withDefaults: (object) => withDefaults(object),
    interpreters,
  };
}
