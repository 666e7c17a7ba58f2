import { existsSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { dirname } from 'node:path';

import type { KubeConfig, User } from '@kubernetes/client-node';

import { ProviderError, type ClusterClient, type Connect } from './client.js';
import { cacheCredentials, type Credential, type CredentialSource } from './credentials.js';
import { runExecPlugin, type Environment, type ExecConfig } from './exec-plugin.js';
import { openHttpClient, type HttpClientOptions } from './http-client.js';
import { addTokenFiles, withFreshToken, type FileUser } from './token-file.js';
import { own } from '../../engine/own.js';
import { readBytes } from '../source/read-bytes.js';

/** Where credentials come from: kubeconfig files (the first that defines a name wins, as with `KUBECONFIG`), or one text. */
export type KubeconfigSource = { readonly files: readonly string[] } | { readonly text: string };

export interface ConnectOptions extends Pick<
  HttpClientOptions,
  'connections' | 'deadlineMs' | 'connectTimeoutMs' | 'retry' | 'watch' | 'clock'
> {
  readonly kubeconfig: KubeconfigSource;
  /** Context by cluster name, where it is not named like the cluster. */
  readonly contexts?: Readonly<Record<string, string>>;
  /** For credential plugins (`exec`), which need `PATH`, `HOME` and their own variables: usually `process.env`. */
  readonly environment?: Environment;
}

/**
 * Open clients by the contexts of a kubeconfig.
 *
 * Nothing is read before the first cluster is asked for, and no cluster is contacted before its first request.
 * A missing file or context is a {@link ProviderError} `invalid` that lists what there is.
 */
export function connectKubeconfig(options: ConnectOptions): Connect {
  let loaded: Promise<KubeConfig> | undefined;
  const load = (): Promise<KubeConfig> => (loaded ??= loadKubeconfig(options.kubeconfig));
  const reload = (): Promise<KubeConfig> => {
    loaded = undefined;
    return load();
  };
  return async (cluster) => {
    const context = own(options.contexts, cluster) ?? cluster;
    try {
      return openContext(cluster, context, await load(), reload, options);
    } catch (error) {
      loaded = undefined; // the file may be there the next time
      if (ProviderError.is(error)) throw error;
      // No cause: the parser's error quotes the text.
      throw new ProviderError('invalid', `${cluster}: ${describeLoadError(error)}`, {
        cluster,
        mayHaveHappened: false,
      });
    }
  };
}

function openContext(
  cluster: string,
  context: string,
  config: KubeConfig,
  reload: () => Promise<KubeConfig>,
  options: ConnectOptions,
): ClusterClient {
  const found = config.getContextObject(context);
  const target = found === null ? null : config.getCluster(found.cluster);
  if (target === null) {
    const known = config
      .getContexts()
      .map(({ name }) => name)
      .sort();
    const message = `${cluster}: the kubeconfig has no usable context "${context}"; it has ${known.length === 0 ? 'none' : known.join(', ')}`;
    throw new ProviderError('invalid', message, { cluster, mayHaveHappened: false });
  }
  if (!isHttp(target.server)) {
    const message = `${cluster}: the server of context "${context}" is no http or https address: ${JSON.stringify(target.server)}`;
    throw new ProviderError('invalid', message, { cluster, mayHaveHappened: false });
  }
  const { kubeconfig: _kubeconfig, contexts: _contexts, environment, ...limits } = options;
  let first: KubeConfig | undefined = config;
  const source: CredentialSource = {
    // Files can be replaced by whoever renews them; a text cannot, but what it points to can.
    renewable: 'files' in options.kubeconfig || isDynamic(config.getUser(found?.user ?? '')),
    fetch: async () => {
      const current = first ?? (await reload());
      first = undefined;
      return fetchCredential(current, cluster, context, environment);
    },
  };
  return openHttpClient({
    ...limits,
    cluster,
    server: target.server,
    credentials: cacheCredentials(source),
  });
}

function isHttp(server: string): boolean {
  return URL.canParse(server) && /^https?:$/.test(new URL(server).protocol);
}

/** Whether the user's credential is made anew by somebody: a plugin, a file. */
function isDynamic(user: FileUser | null): boolean {
  return user?.exec != null || user?.authProvider != null || user?.tokenFile !== undefined;
}

async function fetchCredential(
  config: KubeConfig,
  cluster: string,
  context: string,
  environment: Environment | undefined,
): Promise<Credential> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node');
  const found = config.getContextObject(context);
  const target = found === null ? null : config.getCluster(found.cluster);
  const user: User = (found === null ? null : config.getUser(found.user)) ?? { name: 'anonymous' };
  if (target === null)
    throw unauthorized(cluster, `the kubeconfig no longer has the context "${context}"`);
  if (target.proxyUrl?.startsWith('socks') === true)
    throw unauthorized(cluster, 'SOCKS proxies are not supported');
  // An instance of its own: the library keeps the current context and its caches in the object.
  const one = new Config();
  const { exec, ...withoutExec } = user;
  const server = isLoopback(target.server)
    ? { ...target, skipTLSVerify: target.skipTLSVerify || target.server.startsWith('http:') }
    : target;
  try {
    one.loadFromOptions({
      clusters: [server],
      users: [withFreshToken(withoutExec)],
      contexts: [{ name: context, cluster: target.name, user: user.name }],
      currentContext: context,
    });
    const options: RequestOptions = {};
    await one.applyToHTTPSOptions(options);
    const base = toCredential(options, target.proxyUrl);
    if (exec === undefined || exec === null) return base;
    const fromPlugin = await runExecPlugin(
      exec as ExecConfig,
      {
        server: target.server,
        ...(target.tlsServerName !== undefined && { 'tls-server-name': target.tlsServerName }),
        ...(target.skipTLSVerify && { 'insecure-skip-tls-verify': true }),
        ...(target.caData !== undefined && { 'certificate-authority-data': target.caData }),
      },
      environment ?? {},
    );
    return {
      ...base,
      ...fromPlugin,
      headers: { ...base.headers, ...fromPlugin.headers },
      tls: { ...base.tls, ...fromPlugin.tls },
    };
  } catch (error) {
    throw unauthorized(cluster, error instanceof Error ? error.message : String(error), error);
  }
}

function toCredential(options: RequestOptions, proxy: string | undefined): Credential {
  const { ca, cert, key, servername, rejectUnauthorized, auth } = options;
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  if (typeof auth === 'string')
    headers['Authorization'] ??= `Basic ${Buffer.from(auth).toString('base64')}`;
  return {
    headers,
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(servername !== undefined && { servername }),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    },
    ...(proxy !== undefined && { proxy }),
  };
}

async function loadKubeconfig(source: KubeconfigSource): Promise<KubeConfig> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node');
  // One user without a name must not keep us from all clusters.
  const lenient = { onInvalidEntry: 'filter' } as const;
  if ('text' in source) {
    const config = new Config();
    config.loadFromString(source.text, lenient);
    addTokenFiles(config, source.text);
    return config;
  }
  const merged = new Config();
  const { files } = source;
  // Of several files some may be missing, as for kubectl; of all, or of the only one, not.
  const present = files.filter((file) => existsSync(file));
  for (const file of present.length > 0 ? present : files) {
    const config = new Config();
    const text = textOfFile(file);
    config.loadFromString(text, lenient);
    config.makePathsAbsolute(dirname(file));
    addTokenFiles(config, text, file);
    merged.clusters = firstWins(merged.clusters, config.clusters);
    merged.users = firstWins(merged.users, config.users);
    merged.contexts = firstWins(merged.contexts, config.contexts);
  }
  return merged;
}

/** Read once: what comes through a pipe is gone then. */
function textOfFile(file: string): string {
  const bytes = readBytes(file);
  if (typeof bytes !== 'string') return Buffer.from(bytes).toString('utf8');
  const why = bytes === 'not a file' ? 'is no file' : 'is larger than 64 MiB';
  throw Object.assign(new Error(why), { code: why, path: file });
}

function firstWins<T extends { readonly name: string }>(
  known: readonly T[],
  more: readonly T[],
): T[] {
  const names = new Set(known.map(({ name }) => name));
  return [...known, ...more.filter(({ name }) => !names.has(name))];
}

function isLoopback(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Parser errors of a kubeconfig quote it, tokens included: only the kind of error is told. */
function describeLoadError(error: unknown): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== undefined && path !== undefined)
    return `cannot read the kubeconfig ${path} (${code})`;
  return 'the kubeconfig is not valid';
}

function unauthorized(cluster: string, why: string, cause?: unknown): ProviderError {
  return new ProviderError(
    'unauthorized',
    `${cluster}: no credentials: ${why}`,
    { cluster, mayHaveHappened: false },
    { cause },
  );
}
