import type { GateInputs, SettleInputs } from './wire.js';

/**
 * An error after which Pulumi keeps the resource, with these outputs, and updates it in the next run whatever changed: what
 * has happened on clusters must not be forgotten because the step failed.
 */
export function halfDone(news: GateInputs | SettleInputs, reason: string, outs: object): Error {
  const { application, environment, kind } = news;
  const owner = environment === '' ? application : `${application}-${environment}`;
  const id = kind === 'gate' ? `${owner}/gate/${news.wave}` : `${owner}/${kind}`;
  return Object.assign(new Error(reason), { id, properties: outs, reasons: [reason] });
}
