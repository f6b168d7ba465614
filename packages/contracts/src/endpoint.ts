import * as z from 'zod';
import type { KeyScope } from './api-keys.ts';
import type { ErrorCode } from './error-codes.ts';

/** One call: what it takes and answers, and who may make it. */
export type Endpoint = {
  body?: z.ZodType;
  query?: z.ZodType;
  params?: z.ZodType;
  /** Status -> body. `bytes`: not JSON. */
  answers: Record<number, z.ZodType>;
  errors: readonly ErrorCode[];
  /**
   * `optional`: anybody, a user as such. `session`: a signed-in user. `admin`: a signed-in administrator. `signature`: whoever has the signed link. `key`:
   * whoever has an API key with the scope.
   */
  auth: 'none' | 'optional' | 'session' | 'admin' | 'signature' | 'key';
  scope?: KeyScope;
};

/** An id that is no UUID answers like a missing one, so paths take any text. */
export const idParams = z.object({ id: z.string() });
export const bytes = z.unknown();
export const nothing = z.null();
export const signedIn = ['not_signed_in'] as const;
/** What any call with an API key may be refused for. */
export const withKey = ['bad_api_key', 'wrong_scope', 'address_not_allowed', 'plan_feature'] as const;
export const write = ['bad_origin'] as const;
