import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Interpreter } from '../../../lib/engine/interpret/index.js';
import {
  defineInterpreter,
  InterpretError,
  interpreterFor,
} from '../../../lib/engine/interpret/index.js';
import { interpretersFrom } from '../../../lib/providers/lua/index.js';
import { RULES } from '../../../lib/providers/lua/customization.js';
import type { Scripts } from './evaluate.js';
import { customization, evaluate, NOW, TARGET, taught, widget } from './evaluate.js';

describe('the eight operations', () => {
  const template = {
    spec: {
      containers: [
        { resources: { requests: { cpu: '100m' } }, envFrom: [{ secretRef: { name: 's' } }] },
      ],
    },
  };
  const lua = taught({
    replicaResource: `local kube = require("kube")
      function GetReplicas(obj) return obj.spec.size, kube.accuratePodRequirements(obj.spec.template) end`,
    componentResource: `function GetComponents(obj) return { { name = "main", replicas = obj.spec.size } } end`,
    replicaRevision: `function ReviseReplica(obj, n) obj.spec.size = n; return obj end`,
    retention: `function Retain(desired, observed) desired.spec.paused = observed.spec.paused; return desired end`,
    statusReflection: `function ReflectStatus(obj) return { size = obj.status.size } end`,
    statusAggregation: `function AggregateStatus(obj, items)
      local size = 0
      for i = 1, #items do size = size + items[i].status.size end
      obj.status = { size = size, at = os.date("!%Y-%m-%dT%H:%M:%SZ") }
      return obj
    end`,
    healthInterpretation: `function InterpretHealth(obj) return obj.status.size == obj.spec.size end`,
    dependencyInterpretation: `local kube = require("kube")
      function GetDependencies(obj) return kube.getPodDependencies(obj.spec.template, obj.metadata.namespace) end`,
  });
  const object = widget({ size: 3, template }, { status: { size: 3 } });
  const items = [
    { clusterName: 'a', status: { size: 1 } },
    { clusterName: 'b', status: { size: 2 } },
  ];

  test.each<[name: string, ask: (lua: Interpreter) => unknown, want: unknown]>([
    [
      'replicas',
      (i) => i.interpretReplica?.(object),
      { replicas: 3, requirements: { resourceRequest: { cpu: '100m' } } },
    ],
    ['components', (i) => i.interpretComponent?.(object), [{ name: 'main', replicas: 3 }]],
    ['revise', (i) => i.reviseReplica?.(object, 5)['spec'], { size: 5, template }],
    [
      'retain',
      (i) => i.retain?.(object, widget({ paused: true }))['spec'],
      { size: 3, template, paused: true },
    ],
    ['reflect', (i) => i.interpretStatus?.(object), { size: 3 }],
    ['aggregate', (i) => i.aggregateStatus?.(object, items)['status'], { size: 3, at: NOW }],
    [
      'aggregate, dated',
      (i) => i.aggregateStatus?.(object, [], '2026-05-06T07:08:09Z')['status'],
      { size: 0, at: '2026-05-06T07:08:09Z' },
    ],
    ['health', (i) => i.interpretHealth?.(object), true],
    [
      'dependencies',
      (i) => i.interpretDependency?.(object),
      [{ apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 's' }],
    ],
  ])('%s', (_name, ask, want) => {
    expect(ask(lua)).toEqual(want);
  });

  test('a missing list of items is nil, an empty one is an empty table', () => {
    const { aggregateStatus } = taught({
      statusAggregation: `function AggregateStatus(obj, items)
        obj.status = { items = type(items) } return obj end`,
    });

    expect(aggregateStatus?.(object, undefined)['status']).toEqual({ items: 'nil' });
    expect(aggregateStatus?.(object, [])['status']).toEqual({ items: 'table' });
  });
});

describe('the kube library', () => {
  test.each<[expression: string, value: unknown]>([
    ['kube.resourceAdd("1", "500m")', '1500m'],
    ['kube.resourceAdd("1Gi", nil, "512Mi")', '1536Mi'],
    ['kube.resourceAdd(nil, nil)', '0'],
    ['kube.getResourceQuantity("500m")', 0.5],
    ['kube.getResourceQuantity(nil)', 0],
    [
      'kube.accuratePodRequirements({ spec = { nodeSelector = { a = "b" } } })',
      { nodeClaim: { nodeSelector: { a: 'b' } } },
    ],
    ['type(kube.accuratePodRequirements({ spec = {} }))', 'nil'],
    [
      'kube.getPodDependencies({ spec = { imagePullSecrets = { { name = "s" } } } }, nil)',
      [{ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's' }],
    ],
  ])('%s', (expression, value) => {
    expect(evaluate(`local kube = require("kube") return { v = ${expression} }`)).toEqual({
      v: value,
    });
  });

  test.each([
    ['kube.resourceAdd("1", 2)', 'quantities must be texts'],
    ['kube.resourceAdd("one")', 'is not a quantity'],
    ['kube.getResourceQuantity("-1")', 'is not a quantity'],
    ['kube.getResourceQuantity({})', 'must be a text'],
    ['require("io")', 'module "io" is not available'],
  ])('%s is an error', (expression, message) => {
    expect(() => evaluate(`local kube = require("kube") return { v = ${expression} }`)).toThrow(
      message,
    );
  });
});

describe('empty tables', () => {
  test('keep what they were where the script was given one at that path', () => {
    const revise = taught({
      replicaRevision: 'function ReviseReplica(obj) obj.spec.new = {}; return obj end',
    });
    const object = widget({ list: [], map: {}, items: [{ sub: {} }] });

    expect(revise.reviseReplica?.(object, 1)['spec']).toEqual({
      list: [],
      map: {},
      items: [{ sub: {} }],
    });
  });

  test('retention looks at both objects', () => {
    const retain = taught({
      retention: 'function Retain(a, b) a.spec.list = b.spec.list a.spec.map = {} return a end',
    });

    expect(retain.retain?.(widget({ map: {} }), widget({ list: [] }))['spec']).toEqual({
      list: [],
      map: {},
    });
  });

  test('are gone from every other answer', () => {
    expect(evaluate('return { a = {}, b = { c = {} }, d = 1 }')).toEqual({ b: {}, d: 1 });
    expect(evaluate('return {}')).toEqual({});
  });
});

describe('several customizations of one kind', () => {
  const first = customization('a', {
    healthInterpretation: 'function InterpretHealth() return true end',
    dependencyInterpretation:
      'function GetDependencies() return { { apiVersion = "v1", kind = "Secret", name = "z" } } end',
  });
  const second = customization('b', {
    healthInterpretation: 'function InterpretHealth() return false end',
    replicaResource: 'function GetReplicas() return 7 end',
    dependencyInterpretation:
      'function GetDependencies() return { { apiVersion = "v1", kind = "ConfigMap", name = "y" } } end',
  });
  const { interpreters, diagnostics } = interpretersFrom(
    [second, { object: widget({}) }, first],
    NOW,
  );
  const merged = interpreterFor(TARGET, interpreters);

  test('are merged by name, operation by operation', () => {
    expect(merged.interpretHealth?.(widget({}))).toBe(true);
    expect(merged.interpretReplica?.(widget({})).replicas).toBe(7);
  });

  test('unite what they depend on', () => {
    expect(merged.interpretDependency?.(widget({}))?.map(({ name }) => name)).toEqual(['y', 'z']);
  });

  test('that teach the same operation are INTERPRETER_CONFLICT, except for dependencies', () => {
    expect(diagnostics).toMatchObject([
      {
        code: 'INTERPRETER_CONFLICT',
        severity: 'error',
        resource: { name: 'b' },
        path: ['spec', 'customizations', 'healthInterpretation', 'luaScript'],
      },
    ]);
  });

  test('of other versions do not count', () => {
    expect(
      interpreterFor({ ...TARGET, apiVersion: 'shop.example.com/v2' }, interpreters)
        .interpretHealth,
    ).toBe(undefined);
  });

  test('whose schema is broken are left to the plan', () => {
    const broken = { ...first.object, spec: { target: {} } };

    expect(interpretersFrom([{ object: broken }], NOW)).toEqual({
      interpreters: [],
      diagnostics: [],
    });
  });
});

describe('what goes wrong names the rule and the line', () => {
  test.each<[name: string, script: string, line: number | undefined, message: string]>([
    ['a syntax error', 'function InterpretHealth(', 1, 'expected'],
    [
      'at run time',
      'function InterpretHealth(obj)\n return obj.status.x\nend',
      2,
      'attempt to index',
    ],
    [
      'in another function',
      'local function f(o)\n\n return o.x.y end\nfunction InterpretHealth(o) return f(o) end',
      3,
      "field 'x'",
    ],
    ['raised', 'function InterpretHealth()\n error("no " .. 1)\nend', 2, 'no 1'],
    [
      'in a library',
      'function InterpretHealth()\n\n return ("x"):find(nil)\nend',
      3,
      'string expected',
    ],
    [
      'a missing function',
      'function Other() end',
      undefined,
      'does not define a function InterpretHealth',
    ],
    ['while loading', 'local x = nil\nx.y = 1', 2, 'attempt to index'],
    ['without end', 'function InterpretHealth()\n while true do\n end\nend', 2, 'takes too long'],
  ])('%s', (_name, script, line, message) => {
    const { interpretHealth } = taught({ healthInterpretation: script });
    const caught = caughtFrom(() => interpretHealth?.(widget({})));

    expect(caught.message).toContain(message);
    expect(caught.rule).toEqual({
      operation: 'InterpretHealth',
      customization: {
        apiVersion: 'config.karmada.io/v1alpha1',
        kind: 'ResourceInterpreterCustomization',
        name: 'widgets',
      },
      path: ['spec', 'customizations', 'healthInterpretation', 'luaScript'],
      ...(line !== undefined && { line }),
    });
  });

  test('a script that cannot run is INTERPRETER_SCRIPT_INVALID before anything is asked', () => {
    const { diagnostics } = interpretersFrom(
      [customization('bad', { healthInterpretation: 'function InterpretHealth() return 1 end }' })],
      NOW,
    );

    expect(diagnostics).toMatchObject([
      { code: 'INTERPRETER_SCRIPT_INVALID', severity: 'error', resource: { name: 'bad' } },
    ]);
  });
});

describe('what a script returns is checked, operation by operation', () => {
  const object = widget({ size: 1 });

  test.each<[answer: string, rule: keyof Scripts, message: string]>([
    ['{}', 'replicaRevision', 'it returns another object: apiVersion is missing where it was'],
    ['{}', 'retention', 'it returns another object: apiVersion is missing where it was'],
    ['{}', 'statusAggregation', 'it returns another object: apiVersion is missing'],
    ['renamed(a)', 'replicaRevision', 'metadata.name is "x" where it was "w"'],
    ['renamed(a)', 'retention', 'metadata.name is "x" where it was "w"'],
    ['1', 'replicaRevision', 'an object is needed, found a number'],
    ['nil', 'retention', 'an object is needed, found nothing'],
    ['{ a }', 'replicaRevision', 'an object is needed, found a list'],
    ['-1', 'replicaResource', 'replicas must be a whole number from 0 to 2147483647, found -1'],
    ['1.5', 'replicaResource', 'found 1.5'],
    ['2^31', 'replicaResource', 'found 2147483648'],
    ['"3"', 'replicaResource', 'found a text'],
    ['1, "much"', 'replicaResource', 'requirements must be an object, found a text'],
    ['{ { name = "a", replicas = -1 } }', 'componentResource', 'replicas of component 1'],
    ['{ a = 1 }', 'componentResource', 'a list is needed, found an object'],
    ['nil', 'statusReflection', 'a status must be an object, found nothing'],
    ['"fine"', 'statusReflection', 'a status must be an object, found a text'],
    ['{ 1, 2 }', 'statusReflection', 'a status must be an object, found a list'],
    ['nil', 'healthInterpretation', 'health must be true or false, found nothing'],
    ['"yes"', 'healthInterpretation', 'health must be true or false, found a text'],
    ['nil', 'dependencyInterpretation', 'a list is needed, found nothing'],
    ['{ { apiVersion = "v1", kind = "A" } }', 'dependencyInterpretation', 'reference 1 needs'],
    ['{ { apiVersion = "v1", name = "a" } }', 'dependencyInterpretation', 'reference 1 needs'],
  ])('%s from %s', (answer, rule, message) => {
    const script = `local function renamed(o) o.metadata.name = "x" return o end
      function ${RULES[rule].fn}(a, b) return ${answer} end`;
    const lua = taught({ [rule]: script });
    const asks: Readonly<Record<keyof Scripts, () => unknown>> = {
      retention: () => lua.retain?.(object, object),
      replicaResource: () => lua.interpretReplica?.(object),
      componentResource: () => lua.interpretComponent?.(object),
      replicaRevision: () => lua.reviseReplica?.(object, 2),
      statusReflection: () => lua.interpretStatus?.(object),
      statusAggregation: () => lua.aggregateStatus?.(object, []),
      healthInterpretation: () => lua.interpretHealth?.(object),
      dependencyInterpretation: () => lua.interpretDependency?.(object),
    };
    const caught = caughtFrom(asks[rule]);

    expect(caught.message).toContain(message);
    expect(caught.rule).toMatchObject({ operation: RULES[rule].operation });
    expect(caught.what).toBe('answer');
  });
});

function caughtFrom(ask: () => unknown): InterpretError {
  try {
    ask();
  } catch (error) {
    if (InterpretError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('2,000 calls take well under a second of a quiet machine', () => {
  const { interpretReplica } = taught({
    replicaResource: 'function GetReplicas(obj) return obj.spec.size end',
  });
  const start = performance.now();
  for (let size = 0; size < 2000; size += 1) interpretReplica?.(widget({ size }));

  expect(performance.now() - start).toBeLessThan(5_000);
});

describe('property: an identity script loses nothing', () => {
  const text = fc.string({ unit: 'binary' });
  const key = fc.string({ minLength: 1, unit: 'binary' });
  const leaf = fc.oneof(
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
  );
  // At one path, seen through lists, an empty value is always a list or always an object.
  const { map } = fc.letrec((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('map')),
    list: fc.array(fc.oneof(leaf, tie('full')), { maxLength: 4 }),
    full: fc.dictionary(key, leaf, { minKeys: 1, maxKeys: 3 }),
    map: fc.dictionary(key, tie('node'), { maxKeys: 4 }),
  }));

  test.each<[string, Interpreter]>([
    ['Lua', taught({ retention: 'function Retain(desired) return desired end' })],
    [
      'Lua, copied member by member',
      taught({
        retention: `local function copy(v)
          if type(v) ~= "table" then return v end
          local result = {}
          for key, member in pairs(v) do result[key] = copy(member) end
          return result
        end
        function Retain(desired) return copy(desired) end`,
      }),
    ],
    ['TypeScript', defineInterpreter({ kinds: [TARGET], retain: (desired) => desired })],
  ])('in %s', (_name, { retain }) => {
    fc.assert(
      fc.property(map, (spec) => {
        const object = widget(spec as object);

        expect(retain?.(object, object)).toEqual(object);
      }),
      { numRuns: 1000 },
    );
  });
});

test('property: no document makes a script fail or hang that does not look at it', () => {
  const { interpretStatus } = taught({
    statusReflection:
      'function ReflectStatus(obj) return { kind = obj.kind, n = #(obj.spec.list or {}) } end',
  });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(interpretStatus?.(widget({ any: value } as object))).toEqual({ kind: 'Widget', n: 0 });
    }),
    { numRuns: 1000 },
  );
});
