import * as z from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { KeyScope } from '../schemas/api-keys.ts';
import type { V1AnswerHeader, V1RequestHeader } from '../v1/headers.ts';

/** Documentation of a public endpoint that its schemas don't express. */
export type EndpointDocs = {
  /** Bodies by content type, for endpoints that parse their body themselves. */
  requestBodies?: Record<string, z.ZodType>;
  /** Query parameters of endpoints that parse them themselves. */
  queryFields?: z.ZodType;
  /** Request and response headers besides the common ones. */
  requestHeaders?: readonly V1RequestHeader[];
  responseHeaders?: readonly V1AnswerHeader[];
  /** Content type of the response, if not JSON. */
  responseType?: string;
  /** Descriptions of statuses without a body. */
  otherStatuses?: Record<number, string>;
};

/** An endpoint: its parameters, responses, errors, and who may call it. */
export type Endpoint = {
  body?: z.ZodType;
  query?: z.ZodType;
  params?: z.ZodType;
  /** Body by status. `bytes`: not JSON. */
  answers: Record<number, z.ZodType>;
  errors: readonly ErrorCode[];
  /**
   * `optional`: anyone, signed in or not. `session`: signed-in users. `admin`: signed-in administrators. `signature`:
   * anyone with a signed URL. `key`: API keys with the scope.
   */
  auth: 'none' | 'optional' | 'session' | 'admin' | 'signature' | 'key';
  scope?: KeyScope;
  /** Whether a successful request is charged. Its errors then say that the caller wasn't. */
  charges?: boolean;
  docs?: EndpointDocs;
};

/** Path parameters accept any text, because an ID that isn't a UUID gets the response of a missing one. */
export const idParams = z.object({ id: z.string().describe('ID of the resource.') });
export const bytes = z.unknown();
export const nothing = z.null();
export const signedIn = ['not_signed_in'] as const;
/** Errors of every endpoint that requires an API key. */
export const withKey = ['bad_api_key', 'wrong_scope', 'address_not_allowed', 'plan_feature'] as const;
export const write = ['bad_origin'] as const;
