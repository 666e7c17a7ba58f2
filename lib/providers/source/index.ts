/**
 * Documents from files: YAML and JSON as kubectl reads them, with the place of every field.
 * Knows nothing of what the documents mean.
 *
 * @module
 */
export { readTexts, type FilesOptions, type SourceText } from './files.js';
export { parseFleet, readFleet, type ReadFleet } from './fleet.js';
export { locate, type Place } from './locate.js';
export { printDocuments, printYaml } from './print.js';
export { notAnObject, readDocuments, readSources, type Sources } from './read.js';
export { parseDocuments, parseYaml, type Position, type YamlDocument } from './yaml.js';
export { MAX_BYTES } from './text.js';
