/**
 * Taking over what runs: from live objects of several clusters to one template each, the policy that places it and the
 * smallest overrides; and what applying them would change. Pure; reading clusters is the provider's job.
 *
 * @module
 */
export { bareObject } from './bare-object.js';
export { changesBetween } from './changes.js';
export type { FieldChange, ObjectChanges } from './changes.js';
export { commonOf } from './common.js';
export { describeAdoption } from './describe.js';
export { editsBetween } from './edits.js';
export { adoptionFindings, placementFindings, skippedFindings } from './findings.js';
export { whyNotAdopted } from './not-adopted.js';
export type { LeftAlone } from './not-adopted.js';
export type { PreviewedObject } from './preview.js';
export { proposeAdoption } from './propose.js';
export type { AdoptOptions, Proposal, Skipped } from './propose.js';
