import { sign, type KeyObject } from 'node:crypto';

/** A certificate signing request (PKCS #10) for a common name, in PEM. Node can sign one but not write it, so this is the little DER it takes. */
export function aSigningRequest(
  commonName: string,
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): string {
  const attribute = sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(commonName)));
  const subject = sequence(der(0x31, attribute));
  const info = sequence(
    der(0x02, Buffer.of(0)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa0, Buffer.alloc(0)),
  );
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)); // ecdsa-with-SHA256
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', info, privateKey)]));
  const text = sequence(info, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${text.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
