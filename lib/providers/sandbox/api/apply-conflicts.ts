import { describePath } from '../merge/field-set.js';
import { describeManager } from '../merge/managed-fields.js';
import { ApiFailure } from './status.js';

/** The answer to an apply that would take fields from other managers, in the words of a kube-apiserver. */
export function conflictsFailure(
  conflicts: readonly { entry: Parameters<typeof describeManager>[0]; path: readonly string[] }[],
): ApiFailure {
  const causes = conflicts.map(({ entry, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${describeManager(entry)}`,
    field: describePath(path),
  }));
  const [only] = causes;
  const prefix = `Apply failed with ${causes.length} conflict${causes.length === 1 ? '' : 's'}: `;
  const text =
    causes.length === 1 && only !== undefined
      ? `${only.message}: ${only.field}`
      : [...new Set(causes.map((cause) => cause.message))]
          .sort()
          .map((message) => {
            const fields = causes.filter((cause) => cause.message === message);
            return `${message.replace('conflict', 'conflicts')}:\n${fields.map((cause) => `- ${cause.field}`).join('\n')}`;
          })
          .join('\n');
  return new ApiFailure(409, 'Conflict', prefix + text, { causes });
}
