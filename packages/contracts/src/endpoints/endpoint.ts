import * as z from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { KeyScope } from '../schemas/api-keys.ts';
import type { V1AnswerHeader, V1RequestHeader } from '../v1/headers.ts';

/** What the documentation of the public API says of a call besides. */
export type EndpointDocs = {
  /** Markdown. */
  text?: string;
  /** Bodies by content type, of a call that reads its body itself. */
  reads?: Record<string, z.ZodType>;
  /** Fields that the address may hold, of a call that reads them itself. */
  fields?: z.ZodType;
  /** Headers that it listens to, and that its answers have besides those of all calls. */
  takes?: readonly V1RequestHeader[];
  tells?: readonly V1AnswerHeader[];
  /** Content type of what it answers, where that is no JSON. */
  sends?: string;
  /** Statuses without a body of their own: why. */
  also?: Record<number, string>;
};

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
  /** Whether a successful request is charged. Its errors then say that the caller wasn't. */
  charges?: boolean;
  /** Every call of the public API has them. */
  docs?: EndpointDocs;
};

/** An id that is no UUID answers like a missing one, so paths take any text. */
export const idParams = z.object({ id: z.string() });
export const bytes = z.unknown();
export const nothing = z.null();
export const signedIn = ['not_signed_in'] as const;
/** What any call with an API key may be refused for. */
export const withKey = ['bad_api_key', 'wrong_scope', 'address_not_allowed', 'plan_feature'] as const;
export const write = ['bad_origin'] as const;
