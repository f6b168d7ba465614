import type { ErrorCode } from './error-codes.ts';

/** Refusals that any call may meet: they come from the transport or the state of the service, not from the call. */
export const alwaysErrors = [
  'malformed_body',
  'headers_too_large',
  'internal',
  'maintenance',
  'not_found',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];
