import type { ApiObjectMetadata } from 'cdk8s';
import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { plainCopy } from './plain-copy.js';

/** What every construct for a Karmada document takes beside its spec. */
export interface KarmadaObjectProps<Spec> {
  /**
   * Labels, annotations, a fixed name.
   * @default a name derived from the construct path
   */
  readonly metadata?: ApiObjectMetadata;
  /** The document's `spec`, with Karmada's field names. */
  readonly spec: Spec;
}

/** One Karmada document. The spec is copied, so later changes of the props do not reach it. */
export abstract class KarmadaObject<Spec> extends ApiObject {
  constructor(
    scope: Construct,
    id: string,
    apiVersion: string,
    kind: string,
    props: KarmadaObjectProps<Spec>,
  ) {
    super(scope, id, {
      apiVersion,
      kind,
      ...(props.metadata !== undefined && { metadata: props.metadata }),
      spec: plainCopy(props.spec),
    });
  }
}
