import type { Filter } from './filter.js';

/** The cluster must serve the template's kind, unless it is bound already. Source: scheduling reference §7.1. */
export const apiEnablement: Filter = {
  name: 'APIEnablement',
  reject: ({ bound, serves }, { name, position }) =>
    bound.has(name) || serves[position] === 1
      ? undefined
      : 'cluster(s) did not have the API resource',
  explain: ({ spec }, { document }) => {
    const { apiVersion, kind } = spec.resource;
    const known = document.status?.apiEnablements ?? [];
    if (known.length === 0)
      return `${apiVersion} ${kind} is not served: the snapshot lists no API of this cluster`;
    const others = known.filter(({ resources }) => resources?.some((one) => one.kind === kind));
    const served = others.map(({ groupVersion }) => groupVersion).join(', ');
    return `${apiVersion} ${kind} is not served${served === '' ? '' : `; ${kind} is served as ${served}`}`;
  },
};
