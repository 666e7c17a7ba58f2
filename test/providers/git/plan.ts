import type { KubeObject } from '../../../lib/engine/object.js';
import { refOf } from '../../../lib/engine/object.js';
import type { Manifest, Plan, PlannedWave, Release } from '../../../lib/engine/plan.js';

export function aConfigMap(name: string, data: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data };
}

export function aManifest(object: KubeObject, fields: Partial<Manifest> = {}): Manifest {
  return {
    resource: refOf(object),
    object,
    revision: 'r1',
    generation: 1,
    action: 'create',
    conflictResolution: 'Abort',
    preserveOnDeletion: false,
    shared: false,
    rank: 0,
    ...fields,
  };
}

export function aRelease(
  cluster: string,
  wave: string,
  objects: readonly KubeObject[],
  fields: Partial<Release> = {},
): Release {
  return {
    application: 'shop',
    cluster,
    wave,
    manifests: objects.map((o) => aManifest(o)),
    deletions: [],
    ...fields,
  };
}

export function aWave(name: string, clusters: readonly string[]): PlannedWave {
  const gate = { soakSeconds: 0, deadlineSeconds: 300, maxFailures: 0, approval: false };
  return { name, clusters, maxConcurrent: 2, gate };
}

/** A plan as far as files are concerned; waves in the order of the releases. */
export function aPlan(releases: readonly Release[]): Plan {
  const names = [...new Set(releases.map((r) => r.wave))];
  return {
    schemaVersion: 1,
    application: 'shop',
    now: '2026-01-01T00:00:00Z',
    applicable: true,
    fleet: { clusters: releases.length, hash: 'h' },
    bindings: [],
    changes: [],
    waves: names.map((name) =>
      aWave(
        name,
        releases.filter((r) => r.wave === name).map((r) => r.cluster),
      ),
    ),
    releases,
    checks: [],
    diagnostics: [],
    lock: {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'FleetLock',
      metadata: { name: 'shop' },
      serial: 1,
      bindings: [],
      tombstones: [],
    },
    lockChanges: [],
  };
}
