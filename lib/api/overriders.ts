import { z } from 'zod';
import type { Immutable } from './immutable.js';
import { fields, optional, stringMap } from './value.js';

const operator = z.enum(['add', 'remove', 'replace']);

/** Part of an image reference `[registry/]repository[:tag]`. */
export const imageOverrider = fields({
  component: z.enum(['Registry', 'Repository', 'Tag']),
  operator,
  /** JSON Pointer of the image; absent: all regular containers of the well-known workload kinds. */
  predicate: optional(fields({ path: z.string() })),
  value: optional(z.string()),
});

/** `add` appends items to `command` or `args` of a container, `remove` drops equal items. */
export const commandArgsOverrider = fields({
  containerName: z.string(),
  operator: z.enum(['add', 'remove']),
  value: optional(z.array(z.string())),
});

/** `remove` and `replace` touch existing keys only. */
export const labelAnnotationOverrider = fields({ operator, value: stringMap });

/** One edit inside a document that is stored as text in a field. */
export const documentPatch = fields({
  operator,
  /** JSON Pointer inside the document. */
  subPath: z.string(),
  value: optional(z.unknown()),
});

/** Edits of a JSON or YAML document inside a string field; exactly one of `json` and `yaml`. */
export const fieldOverrider = fields({
  /** JSON Pointer of the string field, e.g. `/data/app.yaml`. */
  fieldPath: z.string(),
  json: optional(z.array(documentPatch)),
  yaml: optional(z.array(documentPatch)),
});

export const plaintextOverrider = fields({
  operator,
  /** JSON Pointer (RFC 6901). */
  path: z.string(),
  value: optional(z.unknown()),
});

/** Edits of a template. Applied in the order image, command, args, labels, annotations, field, plaintext. */
export const overriders = fields({
  annotationsOverrider: optional(z.array(labelAnnotationOverrider)),
  argsOverrider: optional(z.array(commandArgsOverrider)),
  commandOverrider: optional(z.array(commandArgsOverrider)),
  fieldOverrider: optional(z.array(fieldOverrider)),
  imageOverrider: optional(z.array(imageOverrider)),
  labelsOverrider: optional(z.array(labelAnnotationOverrider)),
  plaintext: optional(z.array(plaintextOverrider)),
});

export type ImageOverrider = Immutable<z.infer<typeof imageOverrider>>;
export type CommandArgsOverrider = Immutable<z.infer<typeof commandArgsOverrider>>;
export type LabelAnnotationOverrider = Immutable<z.infer<typeof labelAnnotationOverrider>>;
export type DocumentPatch = Immutable<z.infer<typeof documentPatch>>;
export type FieldOverrider = Immutable<z.infer<typeof fieldOverrider>>;
export type PlaintextOverrider = Immutable<z.infer<typeof plaintextOverrider>>;
export type Overriders = Immutable<z.infer<typeof overriders>>;
