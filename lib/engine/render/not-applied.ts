import type { KubeObject } from '../../api/object.js';
import { fieldAt, withoutField } from '../interpret/field.js';

/** A field of a kind that something in the member cluster decides. */
interface MemberField {
  readonly path: readonly string[];
  /** Only for objects that ask for it. */
  readonly when?: (desired: KubeObject) => boolean;
}

const RETAIN_REPLICAS = 'resourcetemplate.karmada.io/retain-replicas';

/** By API group and kind. What Karmada retains (lifecycle reference §3.4, §5.3), as fields that are left out of an apply. */
const MEMBER_FIELDS: Readonly<Record<string, readonly MemberField[]>> = {
  'apps/v1/Deployment': [
    {
      path: ['spec', 'replicas'],
      when: ({ metadata }) => metadata.labels?.[RETAIN_REPLICAS] === 'true',
    },
  ],
  'v1/Pod': [
    { path: ['spec', 'nodeName'] },
    { path: ['spec', 'serviceAccountName'] },
    { path: ['spec', 'volumes'] },
  ],
  'v1/Service': [{ path: ['spec', 'clusterIP'] }, { path: ['spec', 'healthCheckNodePort'] }],
  'v1/PersistentVolumeClaim': [{ path: ['spec', 'volumeName'] }],
  'v1/PersistentVolume': [{ path: ['spec', 'claimRef'] }],
  'batch/v1/Job': [{ path: ['spec', 'selector'] }],
  'v1/Secret': [
    {
      path: ['data'],
      when: (desired) => desired['type'] === 'kubernetes.io/service-account-token',
    },
  ],
  'argoproj.io/v1alpha1/Workflow': [{ path: ['spec', 'suspend'] }],
  'helm.toolkit.fluxcd.io/v2beta1/HelmRelease': [{ path: ['spec', 'suspend'] }],
  'kustomize.toolkit.fluxcd.io/v1/Kustomization': [{ path: ['spec', 'suspend'] }],
  'source.toolkit.fluxcd.io/v1/GitRepository': [{ path: ['spec', 'suspend'] }],
  'source.toolkit.fluxcd.io/v1beta2/Bucket': [{ path: ['spec', 'suspend'] }],
  'source.toolkit.fluxcd.io/v1beta2/HelmChart': [{ path: ['spec', 'suspend'] }],
  'source.toolkit.fluxcd.io/v1beta2/HelmRepository': [{ path: ['spec', 'suspend'] }],
  'source.toolkit.fluxcd.io/v1beta2/OCIRepository': [{ path: ['spec', 'suspend'] }],
};

/**
 * Fields of a manifest that must not be applied, because the member cluster decides them: an autoscaler the replicas, the
 * API server the address, the volume controller the volume.
 *
 * Karmada copies such values from the member into what it sends; server-side apply has the better way of not sending
 * them. Only fields that the manifest has and that the member's object has a value for: a new object is applied whole.
 * A field that was applied before must be handed over first, since a field that its only manager drops is reset.
 */
export function fieldsNotToApply(
  desired: KubeObject,
  live: KubeObject | undefined,
): readonly (readonly string[])[] {
  if (live === undefined) return [];
  const fields = MEMBER_FIELDS[`${desired.apiVersion}/${desired.kind}`] ?? [];
  return fields
    .filter(
      ({ path, when }) =>
        fieldAt(desired, ...path) !== undefined &&
        hasValue(fieldAt(live, ...path)) &&
        (when?.(desired) ?? true),
    )
    .map(({ path }) => path);
}

/** The manifest without those fields. */
export function withoutFields(
  desired: KubeObject,
  paths: readonly (readonly string[])[],
): KubeObject {
  return paths.reduce<KubeObject>((object, path) => withoutField(object, path), desired);
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== 0;
}
