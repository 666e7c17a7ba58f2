import { createHash } from 'node:crypto';
import { parseYaml, printYaml } from './source/index.js';
import { validateDocument, withDefaults } from '../api/index.js';
import type { Interpreter } from '../engine/interpret/interpreter.js';
import type { Tools } from '../engine/input.js';
import { misspeltFields } from './template-fields.js';

/** The pure functions the engine takes from libraries: hashing, YAML, schemas. */
export function standardTools(interpreters: readonly Interpreter[] = []): Tools {
  return {
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    parseYaml,
    printYaml,
    validate: (object) => [...validateDocument(object), ...misspeltFields(object)],
    withDefaults: (object) => withDefaults(object),
    interpreters,
  };
}
