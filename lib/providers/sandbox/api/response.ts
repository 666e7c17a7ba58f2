import type { Kind } from '../schema/kinds.js';
import { ApiFailure } from './status.js';

export type ApiResponse =
  | {
      readonly kind: 'json';
      readonly code: number;
      readonly body: unknown;
      readonly contentType?: string;
      readonly warnings?: readonly string[];
    }
  | { readonly kind: 'text'; readonly code: number; readonly body: string }
  | { readonly kind: 'watch'; readonly resource: Kind; readonly namespace: string | undefined };

/** What is no API at all is answered by the HTTP server itself, not by a Status. */
export const PAGE_NOT_FOUND: ApiResponse = {
  kind: 'text',
  code: 404,
  body: '404 page not found\n',
};

export function found(body: object | undefined): ApiResponse {
  return body === undefined ? PAGE_NOT_FOUND : json(200, body);
}

export function json(code: number, body: unknown): ApiResponse & { kind: 'json' } {
  return { kind: 'json', code, body };
}

export function notAllowed(): ApiFailure {
  return new ApiFailure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}
