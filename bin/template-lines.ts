/** How one template does over its clusters; `observed` and `ready` are numbers of clusters. */
export interface TemplateLine {
  readonly name: string;
  readonly isWorkload: boolean;
  readonly generation: number;
  /** Clusters whose controllers have seen this generation. */
  readonly observed: number;
  /** Clusters on which it is rolled out at this generation. */
  readonly ready: number;
  /** Clusters that it is placed on. */
  readonly total: number;
  /** Clusters on which it is unchanged, and nobody looked whether it is ready; these count as neither observed nor ready. */
  readonly unseen?: number;
  /** Something is missing that concerns no cluster alone. */
  readonly isOpen?: boolean;
  /** What is to be said below its line. */
  readonly details?: readonly string[];
}

/** Lines for workloads that are well, if they are no more than these; and at most for templates that are not. */
const FEW = 10;

/**
 * Templates over their clusters, in the same words in the report of `up` and in `status`: what is not observed and ready
 * everywhere, one line each; what is, one line each while these are few workloads, else counted.
 */
export function describeTemplates(templates: readonly TemplateLine[]): readonly string[] {
  const open = templates.filter((one) => !isWell(one));
  const well = templates.filter(isWell);
  const workloads = well.filter(({ isWorkload }) => isWorkload);
  const named = workloads.length <= FEW ? workloads : [];
  const shown = templates.filter((one) => named.includes(one) || open.slice(0, FEW).includes(one));
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  const rest = well.filter((one) => !named.includes(one));
  const unseen = rest.filter((one) => (one.unseen ?? 0) > 0).length;
  const counted = rest.length - unseen;
  const others = named.length > 0 || open.length > 0 ? ' other' : '';
  return [
    ...shown.flatMap((one) => [lineOf(one, width), ...(one.details ?? [])]),
    ...(open.length > FEW ? [`${open.length - FEW} more are not ready everywhere`] : []),
    ...(counted > 0
      ? [
          `${counted}${others} ${counted === 1 ? 'object is observed and ready on all its' : 'objects are observed and ready on all their'} clusters`,
        ]
      : []),
    ...(unseen > 0
      ? [
          `${unseen}${others === '' && counted === 0 ? '' : ' other'} ${unseen === 1 ? 'object is' : 'objects are'} unchanged: ready where this run came, and not looked at elsewhere`,
        ]
      : []),
  ];
}

function lineOf(
  { name, generation, observed, ready, total, unseen = 0 }: TemplateLine,
  width: number,
): string {
  const rest = unseen === 0 ? '' : `  not looked at ${unseen}/${total}`;
  return `${name.padEnd(width)}  generation ${generation}  observed ${observed}/${total}  ready ${ready}/${total}${rest}`;
}

/** Everywhere, as far as anybody looked. */
function isWell({ observed, ready, total, unseen = 0, isOpen }: TemplateLine): boolean {
  return observed + unseen === total && ready + unseen === total && isOpen !== true;
}
