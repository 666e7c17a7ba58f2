import { readFileSync } from 'node:fs';
import type { KubeObject } from '../../../lib/api/object.js';
import { printDocuments } from '../../../lib/providers/source/print.js';
import { PulumiProject } from '../../providers/pulumi/project.js';

/** A Pulumi program with one release, and the real CLI; nothing is ever applied. */
export interface PreviewProject {
  readonly preview: (
    kubeconfig: string,
    dryRun: boolean,
  ) => Promise<{ readonly ms: number; readonly text: string }>;
  readonly remove: () => void;
}

/** `undefined` where the CLI is not built and cannot be. */
export async function openPulumiProject(
  documents: readonly KubeObject[],
  fleet: string,
): Promise<PreviewProject | undefined> {
  const { build, stateOf } = (await import('../../rig/build.mjs' as string)) as {
    build: (parts: readonly string[]) => Promise<string>;
    stateOf: (part: string) => { readonly state: string };
  };
  if (stateOf('pulumi').state === 'missing') return undefined;
  const project = new PulumiProject(await build(['pulumi']));
  project.write('docs/all.yaml', printDocuments(documents));
  project.write('fleet.yaml', readFileSync(fleet, 'utf8'));
  project.write(
    'index.js',
    `const { FleetRelease } = require('fleetwright/pulumi');
new FleetRelease('bench', { files: ['docs'], fleet: 'fleet.yaml', kubeconfig: process.env.BENCH_KUBECONFIG, lock: 'write', dryRun: process.env.BENCH_DRY_RUN === 'true' });
`,
  );
  const run = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { code, text } = await project.run(args, { env });
    if (code !== 0)
      throw new Error(`pulumi ${args.join(' ')} ended with ${code}\n${text.slice(-4000)}`);
    return text;
  };
  await run(['stack', 'init', 'bench']);
  return {
    preview: async (kubeconfig, dryRun) => {
      project.write('kubeconfig', kubeconfig);
      const started = performance.now();
      const text = await run(['preview'], {
        BENCH_KUBECONFIG: `${project.folder}/kubeconfig`,
        BENCH_DRY_RUN: String(dryRun),
      });
      return { ms: performance.now() - started, text };
    },
    remove: () => project.remove(),
  };
}
