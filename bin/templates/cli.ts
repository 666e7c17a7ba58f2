import { sampleFleet } from './sample-fleet.js';
import { IGNORED, POLICIES, ROLLOUT, SHOP } from './shop.js';

const PROJECT = `# Settings of this project; each is also a flag.
app: shop
sources:
- manifests
fleet: fleet.yaml
lock: fleet.lock.yaml
`;

const README = `# Shop on many clusters

\`manifests/\` holds templates and policies, \`fleet.yaml\` the clusters, \`fleet.lock.yaml\` (after the first run) the decisions.

\`\`\`sh
fleetwright plan       # what would run where, and why
fleetwright sandbox    # in another terminal: simulated clusters to try it on
fleetwright up --kubeconfig sandbox.kubeconfig
fleetwright status --kubeconfig sandbox.kubeconfig
\`\`\`

With real clusters, write \`fleet.yaml\` from your kubeconfig: \`fleetwright fleet snapshot --context eu-1 --context us-1\`.
`;

/** Files of a project for the command line, by path. */
export function cliProject(now: string): Record<string, string> {
  return {
    'fleetwright.yaml': PROJECT,
    'fleet.yaml': sampleFleet(now),
    'manifests/shop.yaml': SHOP,
    'manifests/policies.yaml': POLICIES,
    'manifests/rollout.yaml': ROLLOUT,
    'README.md': README,
    '.gitignore': IGNORED,
  };
}
