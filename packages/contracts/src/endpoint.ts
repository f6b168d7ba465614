import * as z from 'zod';
import type { ErrorCode } from './error-codes.ts';

/** One call: what it takes and answers, and who may make it. */
export type Endpoint = {
  body?: z.ZodType;
  query?: z.ZodType;
  params?: z.ZodType;
  /** Status -> body. `bytes`: not JSON. */
  answers: Record<number, z.ZodType>;
  errors: readonly ErrorCode[];
  /** `session`: a signed-in user. `admin`: a signed-in administrator. `signature`: whoever has the signed link. */
  auth: 'none' | 'session' | 'admin' | 'signature';
};

/** An id that is no UUID answers like a missing one, so paths take any text. */
export const idParams = z.object({ id: z.string() });
export const bytes = z.unknown();
export const nothing = z.null();
export const signedIn = ['not_signed_in'] as const;
export const write = ['bad_origin'] as const;
