import { describe, expect, test } from '@jest/globals';
import { describeTemplates, type TemplateLine } from '../../bin/template-lines.js';

const line = (name: string, facts: Partial<TemplateLine> = {}): TemplateLine => ({
  name,
  isWorkload: true,
  generation: 3,
  observed: 2,
  ready: 2,
  total: 2,
  ...facts,
});
const many = (count: number, facts: Partial<TemplateLine> = {}): TemplateLine[] =>
  Array.from({ length: count }, (_, i) => line(`Deployment shop/w-${i}`, facts));

describe('templates over their clusters', () => {
  test('few workloads have a line each, the rest is counted', () => {
    const config = line('ConfigMap shop/env', { isWorkload: false });

    expect(describeTemplates([config, line('Deployment shop/web')])).toEqual([
      'Deployment shop/web  generation 3  observed 2/2  ready 2/2',
      '1 other object is observed and ready on all its clusters',
    ]);
  });

  test('many that are well are one line', () => {
    expect(describeTemplates(many(13))).toEqual([
      '13 objects are observed and ready on all their clusters',
    ]);
  });

  test('what is not well is named, with what is missing, whatever it is', () => {
    const details = ['  eu-1  Unhealthy · waits for 1 of 3 replicas'];
    const config = line('ConfigMap shop/env', { isWorkload: false, ready: 1, details });

    expect(describeTemplates([...many(12), config])).toEqual([
      'ConfigMap shop/env  generation 3  observed 2/2  ready 1/2',
      ...details,
      '12 other objects are observed and ready on all their clusters',
    ]);
  });

  test('where nobody looked is said, and is nothing that is not well', () => {
    const partly = { observed: 1, ready: 1, unseen: 1 };
    const config = line('ConfigMap shop/env', { isWorkload: false, ...partly });
    const open = line('Deployment shop/db', { ...partly, ready: 0 });

    expect(describeTemplates([config, line('Deployment shop/web', partly), open])).toEqual([
      'Deployment shop/web  generation 3  observed 1/2  ready 1/2  not looked at 1/2',
      'Deployment shop/db   generation 3  observed 1/2  ready 0/2  not looked at 1/2',
      '1 other object is unchanged: ready where this run came, and not looked at elsewhere',
    ]);
    expect(describeTemplates(many(12, partly))).toEqual([
      '12 objects are unchanged: ready where this run came, and not looked at elsewhere',
    ]);
  });

  test('so many that nobody reads them are cut and counted', () => {
    const lines = describeTemplates(many(30, { observed: 1, ready: 0 }));

    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('20 more are not ready everywhere');
  });
});
