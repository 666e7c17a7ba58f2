import type { ObjectRef } from '../../api/object.js';
import type { ObjectChanges } from './changes.js';

/** What applying would do to one object on one cluster. Plain data. */
export type PreviewedObject =
  | { readonly cluster: string; readonly resource: ObjectRef; readonly exists: false }
  | ({
      readonly cluster: string;
      readonly resource: ObjectRef;
      readonly exists: true;
      /** Who writes it now; sorted. */
      readonly managers: readonly string[];
    } & ObjectChanges);
