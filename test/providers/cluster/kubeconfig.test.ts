import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { connectKubeconfig, ProviderError } from '../../../lib/providers/cluster/index.js';
import { startFakeApiServer, type FakeApiServer } from './fake-api-server.js';

let folder: string;
let server: FakeApiServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetwright-kubeconfig-'));
  server = await startFakeApiServer((seen) => ({
    body: { authorization: seen.authorization ?? 'none' },
  }));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Entry {
  readonly name: string;
  readonly url?: string;
  readonly user?: object;
  readonly proxy?: string;
}

/** JSON is YAML. */
function aKubeconfig(...entries: readonly Entry[]): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries.map(({ name, url = server.url, proxy }) => ({
      name,
      cluster: { server: url, ...(proxy !== undefined && { 'proxy-url': proxy }) },
    })),
    users: entries.map(({ name, user = {} }) => ({ name, user })),
    contexts: entries.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  });
}

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!ProviderError.is(error)) throw new Error('expected a ProviderError', { cause: error });
  return error;
}

describe('the context', () => {
  test('is named like the cluster unless another is given', async () => {
    const text = aKubeconfig(
      { name: 'eu-1', user: { token: 'one' } },
      { name: 'admin@us', user: { token: 'two' } },
    );
    const connect = connectKubeconfig({ kubeconfig: { text }, contexts: { 'us-1': 'admin@us' } });

    const clients = await Promise.all([connect('eu-1'), connect('us-1')]);

    expect(clients.map(({ cluster }) => cluster)).toEqual(['eu-1', 'us-1']);
    const seen = await Promise.all(clients.map((client) => client.raw('/version')));
    expect(seen).toEqual([{ authorization: 'Bearer one' }, { authorization: 'Bearer two' }]);
    await Promise.all(clients.map((client) => client.close()));
  });

  test('that is missing is invalid, and those that exist are listed', async () => {
    const connect = connectKubeconfig({
      kubeconfig: { text: aKubeconfig({ name: 'b' }, { name: 'a' }) },
    });

    const error = await failureOf(connect('eu-1'));

    expect(error.failure).toBe('invalid');
    expect(error.message).toBe('eu-1: the kubeconfig has no usable context "eu-1"; it has a, b');
  });

  test('comes from the first file that has it', async () => {
    const files = [join(folder, 'absent'), join(folder, 'one'), join(folder, 'two')];
    writeFileSync(join(folder, 'one'), aKubeconfig({ name: 'eu-1', user: { token: 'first' } }));
    writeFileSync(
      join(folder, 'two'),
      aKubeconfig(
        { name: 'eu-1', user: { token: 'second' } },
        { name: 'us-1', user: { token: 'third' } },
      ),
    );
    const connect = connectKubeconfig({ kubeconfig: { files } });

    const [eu, us] = await Promise.all([connect('eu-1'), connect('us-1')]);

    expect(await eu.raw('/')).toEqual({ authorization: 'Bearer first' });
    expect(await us.raw('/')).toEqual({ authorization: 'Bearer third' });
    await Promise.all([eu.close(), us.close()]);
  });
});

describe('a kubeconfig', () => {
  test('that is missing is named', async () => {
    const file = join(folder, 'absent');

    const error = await failureOf(connectKubeconfig({ kubeconfig: { files: [file] } })('eu-1'));

    expect(error.message).toBe(`eu-1: cannot read the kubeconfig ${file} (ENOENT)`);
  });

  test('that is a device is refused, not read for ever', async () => {
    const connected = connectKubeconfig({ kubeconfig: { files: ['/dev/zero'] } })('eu');

    expect((await failureOf(connected)).message).toBe(
      'eu: cannot read the kubeconfig /dev/zero (is no file)',
    );
  });

  test('that comes through a pipe is read once', async () => {
    const pipe = join(folder, 'pipe');
    const source = join(folder, 'source');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(source, aKubeconfig({ name: 'eu' }));
    spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', source, pipe]);

    const client = await connectKubeconfig({ kubeconfig: { files: [pipe] } })('eu');

    expect(client.cluster).toBe('eu');
  });

  test('that cannot be parsed is not quoted', async () => {
    const text = 'users:\n  - name: a\n    user: {token: "hunter2\n';

    const error = await failureOf(connectKubeconfig({ kubeconfig: { text } })('eu-1'));

    expect(error.failure).toBe('invalid');
    expect(JSON.stringify([error.message, error.stack, error.cause ?? ''])).not.toContain(
      'hunter2',
    );
  });

  test('of a server without TLS is taken on this machine, and nowhere else', async () => {
    const text = aKubeconfig({
      name: 'far',
      url: 'http://cluster.example:8080',
      user: { token: 'secret-token' },
    });
    const client = await connectKubeconfig({ kubeconfig: { text } })('far');

    const error = await failureOf(client.raw('/version'));

    expect(error.failure).toBe('unauthorized');
    expect(error.message).not.toContain('secret-token');
    await client.close();
  });

  test('with a proxy sends everything through it', async () => {
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request: IncomingMessage, from: Socket) => {
      tunnels.push(request.url ?? '');
      const [host, port] = (request.url ?? '').split(':');
      const to = connect(Number(port), host, () => {
        from.write('HTTP/1.1 200 OK\r\n\r\n');
        from.pipe(to).pipe(from);
      });
      from.on('error', () => to.destroy());
      to.on('error', () => from.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const text = aKubeconfig({
      name: 'eu-1',
      user: { token: 'one' },
      proxy: `http://127.0.0.1:${port}`,
    });
    const client = await connectKubeconfig({ kubeconfig: { text } })('eu-1');

    expect(await client.raw('/version')).toEqual({ authorization: 'Bearer one' });

    expect(tunnels).toEqual([new URL(server.url).host]);
    await client.close();
    proxy.close();
  });

  test('is read again when its token was refused', async () => {
    const strict = await startFakeApiServer((seen) =>
      seen.authorization === 'Bearer new' ? { body: 'ok' } : { status: 401 },
    );
    const file = join(folder, 'config');
    writeFileSync(file, aKubeconfig({ name: 'eu-1', url: strict.url, user: { token: 'old' } }));
    const client = await connectKubeconfig({ kubeconfig: { files: [file] } })('eu-1');
    writeFileSync(file, aKubeconfig({ name: 'eu-1', url: strict.url, user: { token: 'new' } }));

    expect(await client.raw('/version')).toBe('ok');

    await client.close();
    await strict.close();
  });
});

describe('a credential plugin', () => {
  /** A plugin written in JavaScript; each run adds a line to `runs`. */
  const aPlugin = (script: string): { exec: object } => {
    const file = join(folder, 'plugin.cjs');
    const runs = join(folder, 'runs');
    writeFileSync(
      file,
      `require('fs').appendFileSync(${JSON.stringify(runs)}, 'x\\n');\n${script}`,
    );
    const command = process.execPath;
    return {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command,
        args: [file],
        env: [{ name: 'TOKEN', value: 'from-env' }],
      },
    };
  };
  const runs = (): number => readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1;
  const open = (user: object): ReturnType<ReturnType<typeof connectKubeconfig>> =>
    connectKubeconfig({
      kubeconfig: { text: aKubeconfig({ name: 'eu-1', user }) },
      environment: process.env,
    })('eu-1');

  test('runs once for thirty-two requests', async () => {
    const client = await open(
      aPlugin(`const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
        console.log(JSON.stringify({ kind: 'ExecCredential', status: { token: process.env.TOKEN + '-' + info.kind } }));`),
    );

    const answers = await Promise.all(Array.from({ length: 32 }, () => client.raw('/version')));

    expect(answers[31]).toEqual({ authorization: 'Bearer from-env-ExecCredential' });
    expect(runs()).toBe(1);
    await client.close();
  });

  test('that fails says why, without what could be a token', async () => {
    const client = await open(
      aPlugin(
        `console.error('log in first: eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.x'); process.exit(3);`,
      ),
    );

    const error = await failureOf(client.raw('/version'));

    expect(error.failure).toBe('unauthorized');
    expect(error.message).toContain('exited with 3: log in first: …');
    expect(error.message).not.toContain('eyJ');
    await client.close();
  });

  test('that is not installed comes with its hint', async () => {
    const client = await open({
      exec: { command: join(folder, 'absent-plugin'), installHint: 'brew install it' },
    });

    const error = await failureOf(client.raw('/version'));

    expect(error.message).toContain('absent-plugin is not installed: brew install it');
    await client.close();
  });
});

describe('a token in a file', () => {
  test('is read relative to the kubeconfig, wins over one that is written out, and is read again after 401', async () => {
    const file = join(folder, 'config');
    writeFileSync(join(folder, 'token'), 'fresh\n');
    writeFileSync(file, aKubeconfig({ name: 'eu-1', user: { token: 'old', tokenFile: 'token' } }));
    const client = await connectKubeconfig({ kubeconfig: { files: [file] } })('eu-1');

    expect(await client.raw('/version')).toEqual({ authorization: 'Bearer fresh' });
    await client.close();
  });

  test('that expired is read again when a server refuses it, for a kubeconfig given as text too', async () => {
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'first');
    const strict = await startFakeApiServer(({ authorization }) =>
      authorization === 'Bearer second' ? { body: { ok: true } } : { status: 401, body: {} },
    );
    const text = aKubeconfig({ name: 'eu-1', url: strict.url, user: { tokenFile } });
    const client = await connectKubeconfig({ kubeconfig: { text } })('eu-1');

    expect((await failureOf(client.raw('/version'))).failure).toBe('unauthorized');
    writeFileSync(tokenFile, 'second');
    expect(await client.raw('/version')).toEqual({ ok: true });
    await client.close();
    await strict.close();
  });

  test('that is gone is named, and what it held is not', async () => {
    const tokenFile = join(folder, 'nowhere');
    const text = aKubeconfig({ name: 'eu-1', user: { tokenFile } });
    const client = await connectKubeconfig({ kubeconfig: { text } })('eu-1');

    const failure = await failureOf(client.raw('/version'));

    expect(failure.failure).toBe('unauthorized');
    expect(failure.message).toContain(`the token file ${tokenFile} cannot be read (ENOENT)`);
    await client.close();
  });
});
