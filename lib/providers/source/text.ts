import { isUtf8 } from 'node:buffer';

/** Larger texts are refused: the parser holds about thirty times their size. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Why bytes are not taken as a text. */
export type NoText = 'not text' | 'too large';

/**
 * The text of bytes, wherever they come from, without a byte order mark.
 *
 * A broken byte would be replaced without a word, and a NUL ends a text for other tools: neither is taken.
 */
export function textOf(bytes: Uint8Array): { readonly content: string } | NoText {
  if (bytes.length > MAX_BYTES) return 'too large';
  if (!isUtf8(bytes) || bytes.includes(0)) return 'not text';
  const { buffer, byteOffset, byteLength } = bytes;
  const content = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  return { content: content.startsWith('\ufeff') ? content.slice(1) : content };
}
