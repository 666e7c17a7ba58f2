import { spawn } from 'node:child_process';

import type { Credential } from './credentials.js';

/** `users[].user.exec` of a kubeconfig. */
export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
}

/** What a plugin is told about its cluster when it asks (`provideClusterInfo`). */
export interface ExecClusterInfo {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority-data'?: string;
}

/** The environment the plugin starts from; given by the caller, since libraries do not read it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 60_000;

/**
 * Run a credential plugin once (client.authentication.k8s.io, as kubectl does) and return what it prints.
 *
 * Not interactive: standard input is closed, so a plugin that wants to ask fails instead of hanging.
 *
 * @throws Error whose message is fit for people: what failed and the plugin's own first words, with anything that looks like a token masked.
 */
export async function runExecPlugin(
  exec: ExecConfig,
  cluster: ExecClusterInfo,
  environment: Environment,
): Promise<Pick<Credential, 'headers' | 'expiresAt' | 'tls'>> {
  const info = {
    apiVersion: exec.apiVersion ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec.provideClusterInfo === true && { cluster }) },
  };
  const extra = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  const env = { ...environment, ...extra, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  return parseExecCredential(exec.command, await run(exec, env));
}

function run(exec: ExecConfig, env: Environment): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(exec.command, [...(exec.args ?? [])], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // Our own timer: the `timeout` of spawn goes on when the program does not exist, and keeps the process alive.
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on(
      'data',
      (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(0, 4000)),
    );
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const hint = exec.installHint === undefined ? '' : `: ${firstLine(exec.installHint)}`;
      const why = error.code === 'ENOENT' ? `is not installed${hint}` : `could not be started`;
      reject(new Error(`credential plugin ${exec.command} ${why}`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(out);
      const how =
        signal === null ? `exited with ${code}` : `did not end within ${TIMEOUT_MS / 1000} s`;
      reject(new Error(`credential plugin ${exec.command} ${how}: ${firstLine(errors)}`));
    });
  });
}

function parseExecCredential(
  command: string,
  text: string,
): Pick<Credential, 'headers' | 'expiresAt' | 'tls'> {
  const status = tryParse(text)?.status;
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status ?? {};
  if (token === undefined && clientCertificateData === undefined)
    throw new Error(`credential plugin ${command} printed neither a token nor a certificate`);
  const expiresAt = Date.parse(expirationTimestamp ?? '');
  return {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    tls: {
      ...(clientCertificateData !== undefined && { cert: clientCertificateData }),
      ...(clientKeyData !== undefined && { key: clientKeyData }),
    },
    ...(Number.isFinite(expiresAt) && { expiresAt }),
  };
}

interface ExecCredential {
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

function tryParse(text: string): ExecCredential | undefined {
  try {
    return JSON.parse(text) as ExecCredential;
  } catch {
    return undefined; // reported by the caller, without the text: it may hold a token
  }
}

/** The first line that says something, short, without what could be a credential. */
function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? 'no message';
  return line
    .trim()
    .slice(0, 200)
    .replaceAll(/[A-Za-z0-9_\-.+=]{24,}/g, '…');
}
