import type { Edited } from './fault.js';
import { edited, faulty } from './fault.js';

/** An image reference in its parts; absent parts are empty. At most one of tag and digest is set. */
export interface ImageReference {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  /** `sha256:…` */
  readonly digest: string;
}

const LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${LABEL}(?:\\.${LABEL})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const PART = '[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*';
const PATH = `${PART}(?:/${PART})*`;
const TAG = '\\w[\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

const REFERENCE = new RegExp(`^((?:${DOMAIN}/)?${PATH})(?::(${TAG}))?(?:@(${DIGEST}))?$`);
const NAME = new RegExp(`^(?:${DOMAIN}/)?(${PATH})$`);
const ONLY_TAG = new RegExp(`^${TAG}$`);
const ONLY_DIGEST = new RegExp(`^${DIGEST}$`);
const MAX_REPOSITORY_LENGTH = 255;

/** Hex digits of the digest algorithms that are known. */
const DIGEST_LENGTH: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * The parts of `[host/]repository[:tag][@digest]`, without any default for Docker Hub.
 *
 * What stands before the first slash is the registry if it has a dot or colon or is `localhost`. With a tag the digest is
 * dropped. Source: lifecycle reference §7.3.
 */
export function parseImage(image: string): Edited<ImageReference> {
  const [, name, tag = '', digest = ''] = REFERENCE.exec(image) ?? [];
  if (name === undefined) return faulty('syntax', image, `"${image}" is no image reference`);
  if ((NAME.exec(name)?.[1] ?? name).length > MAX_REPOSITORY_LENGTH) {
    return faulty(
      'syntax',
      image,
      `the repository of an image has at most ${MAX_REPOSITORY_LENGTH} characters`,
    );
  }
  if (digest !== '' && !isValidDigest(digest))
    return faulty('syntax', image, `"${digest}" is no valid digest`);
  const slash = name.indexOf('/');
  const head = name.slice(0, slash);
  const hasRegistry = slash >= 0 && (/[.:]/.test(head) || head === 'localhost');
  return edited({
    registry: hasRegistry ? head : '',
    repository: hasRegistry ? name.slice(slash + 1) : name,
    tag,
    digest: tag === '' ? digest : '',
  });
}

export function printImage({ registry, repository, tag, digest }: ImageReference): string {
  const name = registry === '' ? repository : `${registry}/${repository}`;
  if (tag !== '') return `${name}:${tag}`;
  return digest === '' ? name : `${name}@${digest}`;
}

/** A text that looks like a tag replaces the digest, one that looks like a digest the tag; others change nothing. */
export function withVersion(image: ImageReference, version: string): ImageReference {
  if (ONLY_TAG.test(version)) return { ...image, tag: version, digest: '' };
  if (ONLY_DIGEST.test(version)) return { ...image, tag: '', digest: version };
  return image;
}

function isValidDigest(digest: string): boolean {
  const colon = digest.indexOf(':');
  const hex = digest.slice(colon + 1);
  return DIGEST_LENGTH[digest.slice(0, colon)] === hex.length && /^[0-9a-f]+$/.test(hex);
}
