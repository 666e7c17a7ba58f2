import type { KubeObject } from '../../api/object.js';
import type { RuleWithCluster } from '../../api/override-policy.js';
import type { ImageOverrider, Overriders, PlaintextOverrider } from '../../api/overriders.js';
import { canonicalJson } from '../canonical.js';
import { compareBy, compareStrings, inOrder, sorted } from '../compare.js';
import { listAt, textAt } from '../interpret/field.js';
import { parseImage } from '../override/image-reference.js';
import { overrideImage } from '../override/overriders/image.js';
import { editsBetween } from './edits.js';

/**
 * The override rules that make of a template what each cluster has; empty when all have the template itself.
 *
 * One rule per group of clusters that share edits: an edit that three clusters need stands once. Sorted by (1) how many
 * clusters, most first, (2) cluster names.
 */
export function rulesFor(
  template: KubeObject,
  objects: ReadonlyMap<string, KubeObject>,
): readonly RuleWithCluster[] {
  const clustersByEdit = new Map<string, { edit: PlaintextOverrider; clusters: string[] }>();
  for (const cluster of sorted(objects.keys(), compareStrings)) {
    for (const edit of editsBetween(template, objects.get(cluster))) {
      const key = canonicalJson(edit);
      const known = clustersByEdit.get(key);
      if (known === undefined) clustersByEdit.set(key, { edit, clusters: [cluster] });
      else known.clusters.push(cluster);
    }
  }
  const groups = new Map<string, { clusters: readonly string[]; edits: PlaintextOverrider[] }>();
  for (const { edit, clusters } of clustersByEdit.values()) {
    const key = clusters.join('\n');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { clusters, edits: [edit] });
    else known.edits.push(edit);
  }
  const order = inOrder<{ readonly clusters: readonly string[] }>(
    compareBy(({ clusters }) => -clusters.length),
    compareBy(({ clusters }) => clusters.join('\n')),
  );
  return sorted(groups.values(), order).map(({ clusters, edits }) => ({
    targetCluster: { clusterNames: [...clusters] },
    overriders: toOverriders(template, edits),
  }));
}

/** The image of an only container is edited by its part, which does not count list items; all else by path. */
function toOverriders(template: KubeObject, edits: readonly PlaintextOverrider[]): Overriders {
  const images: ImageOverrider[] = [];
  const plaintext: PlaintextOverrider[] = [];
  for (const edit of edits) {
    const image = imageEdit(template, edit);
    if (image === undefined) plaintext.push(edit);
    else images.push(image);
  }
  return {
    ...(images.length > 0 && { imageOverrider: images }),
    ...(plaintext.length > 0 && { plaintext }),
  };
}

const ONLY_IMAGE = '/spec/template/spec/containers/0/image';

function imageEdit(
  template: KubeObject,
  { path, operator, value }: PlaintextOverrider,
): ImageOverrider | undefined {
  if (path !== ONLY_IMAGE || operator !== 'replace' || typeof value !== 'string') return undefined;
  if (template.apiVersion !== 'apps/v1') return undefined;
  const containers = listAt(template, 'spec', 'template', 'spec', 'containers');
  if (containers.length !== 1) return undefined;
  const wanted = parseImage(value);
  if (!wanted.ok) return undefined;
  const { registry, repository, tag, digest } = wanted.value;
  const candidates: readonly ImageOverrider[] = [
    { component: 'Tag', operator: 'replace', value: tag === '' ? digest : tag },
    { component: 'Registry', operator: 'replace', value: registry },
    { component: 'Repository', operator: 'replace', value: repository },
  ];
  return candidates.find(
    (candidate) => candidate.value !== '' && makes(template, candidate, value),
  );
}

function makes(template: KubeObject, overrider: ImageOverrider, image: string): boolean {
  const edited = overrideImage(template, overrider);
  if (!edited.ok) return false;
  const [container] = listAt(edited.value, 'spec', 'template', 'spec', 'containers');
  return textAt(container, 'image') === image;
}
