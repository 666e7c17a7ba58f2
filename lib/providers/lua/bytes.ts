/** Short texts are cheaper without a Buffer. */
const SHORT = 48;

/** One character per byte. */
export function latin1(bytes: Uint8Array): string {
  if (bytes.length > SHORT)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function fromLatin1(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/** What is no UTF-8 becomes U+FFFD. */
export function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

export function fromUtf8(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'utf8'));
}
