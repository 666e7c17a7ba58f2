import { describe, expect, test } from '@jest/globals';
import { describePath, validateDocument } from '../../lib/api/index.js';
import { REFUSED, TAKEN } from './admission-cases.js';

describe('rules of Karmada’s admission webhooks', () => {
  test.each(REFUSED)('$name', ({ document, found }) => {
    const findings = validateDocument(document);

    expect(findings.map(({ path }) => describePath(path))).toEqual(found);
    expect(findings.every(({ admission }) => admission === true)).toBe(true);
  });

  test.each(TAKEN.map((document) => ({ name: String(document['kind']), document })))(
    'a realistic $name is taken',
    ({ document }) => {
      expect(validateDocument(document)).toEqual([]);
    },
  );

  test('rules are told beside unknown fields, not beside fields of the wrong type', () => {
    const spec = { resourceSelectors: [{ apiVersion: 'v1', kind: 'Pod', namespace: 'other' }] };
    const policy = (more: object): object => ({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { ...spec, ...more },
    });
    const codes = (document: object): readonly string[] =>
      validateDocument(document).map(({ code }) => code);

    expect(codes(policy({ placment: {} }))).toEqual(['FIELD_UNKNOWN', 'FIELD_INVALID']);
    expect(validateDocument(policy({ priority: [] })).map(({ path }) => path.at(-1))).toEqual([
      'priority',
    ]);
  });
});
