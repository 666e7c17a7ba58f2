import { equalJson, objectAt, type JsonObject } from '../merge/json.js';
import { templateHash } from '../schema/strategy.js';
import { isDeleted, keyOf, ownerKey, ownerReference, ownKey } from './controller.js';
import type { Controller, Key, Reach } from './controller.js';
import { reportDeployment } from './deployment-status.js';
import { REVISION, revisionOf, setsOf, sizeOf } from './deployment-sets.js';
import { rolled } from './rolling.js';

const HASH = 'pod-template-hash';

/** Rolls a Deployment from one ReplicaSet to the next, and reports how far it is. */
export function deploymentController(): Controller {
  return {
    name: 'deployment',
    concerns: (event) => [
      ...ownKey(event, 'apps', 'deployments'),
      ...ownerKey(event, 'apps', 'replicasets', 'Deployment'),
    ],
    reconcile: reconcileDeployment,
  };
}

function reconcileDeployment(key: Key, reach: Reach): number | undefined {
  const kind = reach.kind('apps/v1', 'Deployment');
  const deployment = reach.get(kind, key);
  if (deployment === undefined || isDeleted(deployment)) return undefined;
  const spec = objectAt(deployment, 'spec');
  const isPaused = spec['paused'] === true;
  const current = isPaused ? currentSetName(deployment) : ensureSet(deployment, reach);
  if (!isPaused) scaleSets(deployment, current, reach);
  cleanUp(deployment, current, reach);
  return reportDeployment(reach.get(kind, key) ?? deployment, current, reach);
}

function currentSetName(deployment: JsonObject): string {
  const hash = templateHash(objectAt(deployment, 'spec', 'template'));
  return `${keyOf(deployment).name}-${hash}`;
}

/** The ReplicaSet of the current template, made or brought to the newest revision; its name. */
function ensureSet(deployment: JsonObject, reach: Reach): string {
  const kind = reach.kind('apps/v1', 'ReplicaSet');
  const name = currentSetName(deployment);
  const sets = setsOf(deployment, reach);
  const latest = Math.max(0, ...sets.filter((set) => keyOf(set).name !== name).map(revisionOf));
  const found = sets.find((set) => keyOf(set).name === name);
  if (found !== undefined) {
    if (revisionOf(found) <= latest)
      reach.update(kind, found, withAnnotation(found, REVISION, String(latest + 1)));
    return name;
  }
  const spec = objectAt(deployment, 'spec');
  const template = objectAt(spec, 'template');
  const hash = name.slice(keyOf(deployment).name.length + 1);
  const labels = { ...objectAt(template, 'metadata', 'labels'), [HASH]: hash };
  const selector = objectAt(spec, 'selector');
  reach.create(kind, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: keyOf(deployment).namespace,
      labels,
      annotations: { [REVISION]: String(latest + 1) },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(spec['minReadySeconds'] !== undefined && { minReadySeconds: spec['minReadySeconds'] }),
      selector: {
        ...selector,
        matchLabels: { ...objectAt(selector, 'matchLabels'), [HASH]: hash },
      },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
    },
  });
  return name;
}

function scaleSets(deployment: JsonObject, current: string, reach: Reach): void {
  const kind = reach.kind('apps/v1', 'ReplicaSet');
  const sets = setsOf(deployment, reach);
  const sizes = sets.map((set) => sizeOf(set, current));
  const target = rolled(objectAt(deployment, 'spec'), sizes);
  for (const set of sets) {
    const replicas = target.get(keyOf(set).name);
    const minReadySeconds = objectAt(deployment, 'spec')['minReadySeconds'];
    const spec = { ...objectAt(set, 'spec'), replicas, minReadySeconds };
    if (replicas !== undefined && !equalJson(spec, set['spec']))
      reach.update(kind, set, { ...set, spec });
  }
}

/** Old empty ReplicaSets beyond the history limit go, oldest revision first. */
function cleanUp(deployment: JsonObject, current: string, reach: Reach): void {
  const limit = Number(objectAt(deployment, 'spec')['revisionHistoryLimit'] ?? 10);
  const idle = setsOf(deployment, reach)
    .filter(
      (set) =>
        keyOf(set).name !== current &&
        objectAt(set, 'spec')['replicas'] === 0 &&
        objectAt(set, 'status')['replicas'] === 0,
    )
    .sort((a, b) => revisionOf(a) - revisionOf(b));
  for (const set of idle.slice(0, Math.max(0, idle.length - limit)))
    reach.delete(reach.kind('apps/v1', 'ReplicaSet'), set);
}

function withAnnotation(object: JsonObject, key: string, value: string): JsonObject {
  const metadata = objectAt(object, 'metadata');
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...objectAt(metadata, 'annotations'), [key]: value } },
  };
}
