import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../lib/api/object.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import {
  fieldsRetained,
  retainAt,
  withoutRetained,
  type Retain,
} from '../../../lib/engine/render/index.js';
import { anObject } from '../override/builders.js';

const RETAINED = {
  metadata: { labels: { 'resourcetemplate.karmada.io/retain-replicas': 'true' } },
};

/** What is sent of `desired` where the cluster has `live`, by the built-in rule of the kind. */
function builtIn(desired: KubeObject, live: KubeObject): ReturnType<typeof withoutRetained> {
  return withoutRetained(desired, live, interpreterFor(desired).retain ?? ((own) => own));
}

function custom(spec: object, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'cache.example.com/v1',
    kind: 'CacheCluster',
    metadata: { name: 'sessions', namespace: 'shop', ...metadata },
    spec,
  };
}

describe('built-in rules', () => {
  test('replicas that an autoscaler owns are left out, others are not', () => {
    const live = anObject('Deployment', { replicas: 7 });
    const desired = anObject('Deployment', { replicas: 3, paused: false }, RETAINED);
    const { object, left } = builtIn(desired, live);

    expect(left).toEqual([['spec', 'replicas']]);
    expect(object['spec']).toEqual({ paused: false });
    expect(builtIn(anObject('Deployment', { replicas: 3 }), live).left).toEqual([]);
  });

  test('a value that is equal on both sides stays in', () => {
    const object = anObject('Deployment', { replicas: 3 }, RETAINED);

    expect(builtIn(object, object)).toEqual({ object, left: [] });
  });

  test('an allocated port is left to the API server, one not yet allocated is applied', () => {
    const desired = anObject('Service', { healthCheckNodePort: 30000 });
    const left = (port: number): unknown =>
      builtIn(desired, anObject('Service', { healthCheckNodePort: port })).left;

    expect(left(31000)).toEqual([['spec', 'healthCheckNodePort']]);
    expect(left(0)).toEqual([]);
  });

  test('nothing is added that the manifest does not have', () => {
    const desired = anObject('PersistentVolumeClaim', {});
    const live = anObject('PersistentVolumeClaim', { volumeName: 'v' });

    expect(builtIn(desired, live)).toEqual({ object: desired, left: [] });
  });

  test('secrets that a controller added to a ServiceAccount stay its own', () => {
    const desired = { ...anObject('ServiceAccount', {}), secrets: [{ name: 'a' }] };
    const live = {
      ...anObject('ServiceAccount', {}),
      secrets: [{ name: 'a' }, { name: 'token-9' }],
      imagePullSecrets: [{ name: 'pull-7' }],
    };

    expect(builtIn(desired, live)).toEqual({ object: desired, left: [] });
  });

  test('of a Pod, volumes and mounts stay as admission left them, and nothing more', () => {
    const volume = { name: 'data', emptyDir: {} };
    const mount = { name: 'data', mountPath: '/data' };
    const token = { name: 'token', mountPath: '/var/run/secrets' };
    const desired = anObject('Pod', {
      containers: [{ name: 'web', image: 'web:2', volumeMounts: [{ ...mount, mountPath: '/d' }] }],
      volumes: [{ name: 'data', configMap: { name: 'c' } }],
    });
    const live = anObject('Pod', {
      containers: [
        { name: 'web', image: 'web:1', imagePullPolicy: 'Always', volumeMounts: [mount, token] },
        { name: 'sidecar', image: 'proxy' },
      ],
      volumes: [volume, { name: 'token', projected: {} }],
    });
    const { object, left } = builtIn(desired, live);

    expect(left).toEqual([
      ['spec', 'containers', { name: 'web' }, 'volumeMounts'],
      ['spec', 'volumes', { name: 'data' }, 'configMap'],
    ]);
    expect(object['spec']).toEqual({
      containers: [{ name: 'web', image: 'web:2' }],
      volumes: [{ name: 'data' }],
    });
  });

  test('labels that the Job controller chose are left to it, map by map', () => {
    const labels = { app: 'load', run: '2' };
    const desired = anObject('Job', { parallelism: 2, template: { metadata: { labels } } });
    const live = anObject('Job', {
      parallelism: 1,
      selector: { matchLabels: { 'controller-uid': 'u' } },
      template: { metadata: { labels: { app: 'load', run: '1', 'controller-uid': 'u' } } },
    });
    const { object, left } = builtIn(desired, live);

    expect(left).toEqual([['spec', 'template', 'metadata', 'labels', 'run']]);
    expect(object['spec']).toEqual({
      parallelism: 2,
      template: { metadata: { labels: { app: 'load' } } },
    });
  });
});

describe('rules of users', () => {
  const keepNodes: Retain = (desired, observed) => ({
    ...desired,
    spec: { ...(desired['spec'] as object), nodes: (observed['spec'] as { nodes: number }).nodes },
  });

  test('what a rule gives back from the member is left out, all else is sent', () => {
    const { object, left } = withoutRetained(
      custom({ nodes: 3, size: 'L' }),
      custom({ nodes: 5, size: 'S' }),
      keepNodes,
    );

    expect(left).toEqual([['spec', 'nodes']]);
    expect(object['spec']).toEqual({ size: 'L' });
  });

  test('what a rule drops is left out too, and a map with nothing left goes with it', () => {
    const drop: Retain = ({ spec: _spec, ...desired }) => ({ ...desired, spec: {} });
    const { object, left } = withoutRetained(
      custom({ auto: { min: 1 }, size: 'L' }),
      custom({}),
      drop,
    );

    expect(left).toEqual([
      ['spec', 'auto'],
      ['spec', 'size'],
    ]);
    expect(object).not.toHaveProperty('spec');
  });

  test('a value of the rule’s own making is sent, also where the manifest has none', () => {
    const larger: Retain = (desired) => ({
      ...desired,
      spec: { ...(desired['spec'] as object), nodes: 9, note: 'kept' },
    });

    expect(withoutRetained(custom({ nodes: 3 }), custom({ nodes: 5 }), larger)).toEqual({
      object: custom({ nodes: 9, note: 'kept' }),
      left: [],
    });
  });

  test('a list of a custom resource is one value, since its merge keys are not known', () => {
    const pools = (...nodes: number[]): object => ({
      pools: nodes.map((count, i) => ({ name: `p${i}`, count })),
    });
    const keepFirst: Retain = () => custom(pools(5, 2));

    expect(withoutRetained(custom(pools(1, 2)), custom(pools(5, 7)), keepFirst).object).toEqual(
      custom(pools(5, 2)),
    );
    expect(withoutRetained(custom(pools(1, 2)), custom(pools(5, 2)), keepFirst).left).toEqual([
      ['spec', 'pools'],
    ]);
  });

  test('identity and our marks stay, whatever a rule makes of them', () => {
    const annotations = { 'fleetwright.dev/revision': 'r2', note: 'new' };
    const desired = custom({}, { annotations });
    const live = custom({}, { uid: 'u', annotations: { 'fleetwright.dev/revision': 'r1' } });
    const takeAll: Retain = (_desired, observed) => ({
      ...observed,
      kind: 'Other',
      status: { phase: 'x' },
    });
    const { object, left } = withoutRetained(desired, live, takeAll);

    expect(object).toEqual(custom({}, { annotations: { 'fleetwright.dev/revision': 'r2' } }));
    expect(left).toEqual([['metadata', 'annotations', 'note']]);
  });

  test('the fields a rule leaves to the member are found without a member', () => {
    const desired = custom({ nodes: 3, size: 'L', isOpen: true, quota: '250m' });
    const keep: Retain = (own, observed) => {
      const { nodes, isOpen } = observed['spec'] as Record<string, unknown>;
      return { ...own, spec: { ...(own['spec'] as object), nodes, isOpen } };
    };
    const fields = fieldsRetained(desired, keep);

    expect(fields).toEqual([
      ['spec', 'nodes'],
      ['spec', 'isOpen'],
    ]);
    const live = custom({ nodes: 5, size: 'S' });
    expect(withoutRetained(desired, live, retainAt(fields))).toEqual({
      object: custom({ size: 'L', isOpen: true, quota: '250m' }),
      left: [['spec', 'nodes']],
    });
  });
});
