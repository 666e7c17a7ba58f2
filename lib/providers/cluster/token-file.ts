import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { KubeConfig, User } from '@kubernetes/client-node';
import { parse } from 'yaml';

/** A user of a kubeconfig whose token stands in a file that somebody else keeps fresh. */
export type FileUser = User & { readonly tokenFile?: string };

/**
 * Add `users[].user.tokenFile`, which kubectl knows and the library drops. Relative paths are meant from the folder of the
 * kubeconfig; for a text without a file, from the working directory.
 */
export function addTokenFiles(config: KubeConfig, text: string, file?: string): void {
  const { users = [] } = (parse(text) ?? {}) as RawConfig;
  if (!Array.isArray(users)) return;
  const paths = new Map(users.map((entry) => [entry?.name, entry?.user?.tokenFile] as const));
  config.users = config.users.map((user): FileUser => {
    const path = paths.get(user.name);
    if (typeof path !== 'string' || path === '') return user;
    return { ...user, tokenFile: file === undefined ? path : resolve(dirname(file), path) };
  });
}

/**
 * The user with the token that the file holds now; it wins over one in the kubeconfig, as for kubectl.
 * @throws Error that names the file
 */
export function withFreshToken({ tokenFile, ...user }: FileUser): User {
  if (tokenFile === undefined) return user;
  try {
    return { ...user, token: readFileSync(tokenFile, 'utf8').trim() };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`the token file ${tokenFile} cannot be read (${code})`, { cause: error });
  }
}

interface RawConfig {
  readonly users?: readonly ({ name?: string; user?: { tokenFile?: unknown } | null } | null)[];
}
