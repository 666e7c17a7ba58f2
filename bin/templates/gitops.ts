import { cliProject } from './cli.js';

const PROJECT = `# Settings of this project; each is also a flag.
app: shop
sources:
- manifests
fleet: fleet.yaml
lock: fleet.lock.yaml
target: git
layout: flux     # or argocd, fleet, configsync, plain
`;

const WORKFLOW = `# Shows in each pull request what it does to every cluster, and keeps the committed manifests honest.
name: fleetwright
on:
  pull_request:
permissions:
  contents: read
  pull-requests: write
jobs:
  plan:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
      with:
        fetch-depth: 0
    - uses: actions/setup-node@v4
      with:
        node-version: 24
    - run: npm install --global fleetwright
    - run: fleetwright diff --base "origin/$BASE" --format markdown > "$RUNNER_TEMP/comment.md"
      env:
        BASE: \${{ github.base_ref }}
    - run: gh pr comment "$NUMBER" --edit-last --create-if-none --body-file "$RUNNER_TEMP/comment.md"
      env:
        GH_TOKEN: \${{ github.token }}
        NUMBER: \${{ github.event.number }}
    # With CI=true the lock is frozen: this fails when somebody forgot \`fleetwright synth\`.
    - run: fleetwright synth && git diff --exit-code
`;

const README = `# Shop on many clusters, by GitOps

Change \`manifests/\`, run \`fleetwright synth\`, commit what it wrote (\`clusters/\`, \`flux/\`, \`fleet.lock.yaml\`). The workflow in
\`.github/workflows\` comments on each pull request what it does to every cluster.

\`\`\`sh
fleetwright plan
fleetwright synth
git add . && git commit -m "Deploy the shop"
\`\`\`

To go wave by wave, commit \`fleetwright synth --through-wave canary\` first, the rest later.
`;

/** Files of a project whose manifests a GitOps tool pulls, by path. */
export function gitopsProject(now: string): Record<string, string> {
  return {
    ...cliProject(now),
    'fleetwright.yaml': PROJECT,
    'README.md': README,
    '.github/workflows/fleetwright.yaml': WORKFLOW,
  };
}
