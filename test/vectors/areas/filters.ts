import { FILTERS } from '../../../lib/engine/schedule/filter/index.js';
import { createPeers, indexFleet } from '../../../lib/engine/schedule/index.js';
import { scoreOf } from '../../../lib/engine/schedule/score/index.js';
import { subjectOf } from '../../../lib/engine/schedule/subject.js';
import type { Area, Check } from '../area.js';
import { difference } from '../difference.js';

const verdicts: Check = ({ clusters, spec, status, peers, want }) => {
  const fleet = indexFleet(clusters);
  const subject = subjectOf(fleet, spec, {
    affinityName: status?.schedulerObservingAffinityName ?? '',
    peers: createPeers(peers ?? []),
  });

  const got = fleet.clusters.map((cluster) => {
    const reasons = FILTERS.map(({ name, reject }) => [name, reject(subject, cluster)] as const);
    const rejectedBy = Object.fromEntries(reasons.filter(([, reason]) => reason !== undefined));
    return [cluster.name, { rejectedBy, score: scoreOf(subject, cluster) }] as const;
  });

  return difference(Object.fromEntries(got), want);
};

export const area: Area = { checks: { verdicts } };
