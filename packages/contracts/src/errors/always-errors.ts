import type { ErrorCode } from './error-codes.ts';

/** Errors that any endpoint can return, caused by the transport or the state of the service. */
export const alwaysErrors = [
  'malformed_body',
  'headers_too_large',
  'internal',
  'maintenance',
  'not_found',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];
