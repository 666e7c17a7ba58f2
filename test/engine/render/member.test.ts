import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Overriders } from '../../../lib/api/overriders.js';
import { interpreterFor } from '../../../lib/engine/interpret/index.js';
import { compileOverrides } from '../../../lib/engine/override/index.js';
import { MARKS } from '../../../lib/engine/plan.js';
import type { MemberManifest, MemberRequest } from '../../../lib/engine/render/index.js';
import { renderForMember } from '../../../lib/engine/render/index.js';
import type { KubeObject } from '../override/builders.js';
import { anObject, aPolicy, aWorkload, label, M1, TOOLS } from '../override/builders.js';

function request(
  template: KubeObject,
  rest: Partial<MemberRequest> = {},
  overriders: Overriders = {},
): MemberRequest {
  const overridePolicies = Object.keys(overriders).length === 0 ? [] : [aPolicy('p', overriders)];
  return {
    template,
    overrides: compileOverrides({ overridePolicies }, TOOLS)(template)(M1),
    generation: 1,
    application: 'shop',
    setId: 'applyset-x-v1',
    interpreter: interpreterFor(template),
    tools: TOOLS,
    ...rest,
  };
}

function render(...args: Parameters<typeof request>): MemberManifest {
  return renderForMember(request(...args), new Map());
}

function objectOf(manifest: MemberManifest): KubeObject {
  if (!manifest.ok) throw new Error('no manifest');
  return manifest.object;
}

function revisionOf(...args: Parameters<typeof request>): string {
  const manifest = render(...args);
  if (!manifest.ok) throw new Error('no manifest');
  return manifest.revision;
}

const web = aWorkload(
  'Deployment',
  { containers: [{ name: 'web', image: 'nginx' }] },
  { replicas: 3 },
);

test('a manifest carries the template, the marks and nothing of the API server', () => {
  const stored = anObject(
    'ConfigMap',
    {},
    {
      metadata: {
        uid: 'u',
        resourceVersion: '5',
        generation: 2,
        labels: { app: 'web' },
        annotations: { note: 'x' },
      },
      status: {},
    },
  );
  const manifest = render(stored, { generation: 7 });

  expect(objectOf(manifest)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      namespace: 'shop',
      name: 'web',
      labels: { app: 'web', [MARKS.partOf]: 'applyset-x-v1' },
      annotations: {
        note: 'x',
        [MARKS.application]: 'shop',
        [MARKS.generation]: '7',
        [MARKS.revision]: manifest.ok && manifest.revision,
      },
    },
    spec: {},
  });
});

test('replicas of the cluster replace the template’s', () => {
  expect(objectOf(render(web, { replicas: 8 }))).toHaveProperty('spec.replicas', 8);
  expect(objectOf(render(web))).toHaveProperty('spec.replicas', 3);
});

test('a Job gets its share of completions beside its parallelism', () => {
  const job = aWorkload('Job', {}, { parallelism: 4, completions: 10 });

  expect(objectOf(render(job, { replicas: 3, completions: 7 }))).toMatchObject({
    spec: { parallelism: 3, completions: 7 },
  });
});

test('an override can change what the cluster was given', () => {
  const overriders: Overriders = {
    plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 1 }],
  };

  expect(objectOf(render(web, { replicas: 8 }, overriders))).toHaveProperty('spec.replicas', 1);
});

describe('revision', () => {
  test('does not change with the generation', () => {
    expect(revisionOf(web, { generation: 1 })).toBe(revisionOf(web, { generation: 2 }));
  });

  test('changes with content, replicas, overrides and owner', () => {
    const revisions = [
      revisionOf(web),
      revisionOf(aWorkload('Deployment', { containers: [] }, { replicas: 3 })),
      revisionOf(web, { replicas: 4 }),
      revisionOf(web, {}, label('x')),
      revisionOf(web, { application: 'other' }),
    ];

    expect(new Set(revisions).size).toBe(revisions.length);
  });

  test('does not depend on the order of fields', () => {
    const shuffled = {
      spec: web['spec'],
      metadata: web.metadata,
      kind: web.kind,
      apiVersion: web.apiVersion,
    };

    expect(revisionOf(shuffled)).toBe(revisionOf(web));
  });

  test('of a template that was read back from a cluster is the same: our own marks do not count', () => {
    const again = objectOf(render(web, { generation: 9 }));

    expect(revisionOf(again)).toBe(revisionOf(web));
  });

  test('property: rendering what was rendered changes nothing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(20), (spec, replicas) => {
        const once = objectOf(
          render(anObject('Deployment', { ...spec, replicas: 1 }), { replicas }),
        );

        expect(objectOf(render(once, { replicas }))).toEqual(once);
      }),
    );
  });
});

describe('sharing', () => {
  test('requests that are alike get the very same object', () => {
    const cache = new Map();

    const first = renderForMember(request(web, { replicas: 2 }), cache);
    const second = renderForMember(request(web, { replicas: 2 }), cache);
    const third = renderForMember(request(web, { replicas: 3 }), cache);

    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

test('clusters whose rules put different values into a Secret do not share it', () => {
  const secret = anObject('Secret', {}, { stringData: {} });
  const cache = new Map();
  const [a, b] = ['1', '2'].map((value) => {
    const overriders: Overriders = {
      plaintext: [{ path: '/stringData/pin', operator: 'add', value }],
    };
    return objectOf(renderForMember(request(secret, {}, overriders), cache))['data'];
  });

  expect([a, b]).toEqual([{ pin: 'MQ==' }, { pin: 'Mg==' }]);
});

test('texts of a Secret go where clusters store them, and encrypted ones stay as they are', () => {
  const secret = (rest: object): KubeObject =>
    objectOf(render({ ...anObject('Secret', {}), ...rest } as KubeObject));
  const texts = { password: 'grün €😀', user: '' };
  const { data, stringData } = secret({ data: { user: 'YQ==', kept: 'Yg==' }, stringData: texts });

  expect(stringData).toBeUndefined();
  expect(data).toEqual({
    kept: 'Yg==',
    password: Buffer.from(texts.password).toString('base64'),
    user: '',
  });
  expect(secret({ stringData: texts, sops: { version: '3.9.0' } })).toMatchObject({
    stringData: texts,
  });
});

test('an override that cannot be made leaves no manifest', () => {
  const overriders: Overriders = { plaintext: [{ path: '/none', operator: 'remove' }] };

  expect(render(web, {}, overriders)).toMatchObject({
    ok: false,
    fault: { kind: 'override', fault: { path: '/none' } },
  });
});

test('a template whose replicas cannot be written leaves no manifest', () => {
  const broken = anObject('Deployment', { replicas: 'three' });

  expect(render(broken, { replicas: 3 })).toMatchObject({ ok: false, fault: { kind: 'template' } });
});
