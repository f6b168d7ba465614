import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mustBe } from '../../http/validate.ts';
import type { ApiAdapter } from '../api-adapter.ts';

type WaitOptions = {
  isAsync?: boolean | undefined;
  /** Default wait of the request, seconds. */
  fallback?: number;
};

/**
 * Returns how long a request waits for its result, seconds. The field `async` takes precedence over the `Prefer`
 * header, which is confirmed with `Preference-Applied` if it applies.
 */
export function readWaitSeconds(
  { setHeaders }: Pick<ApiAdapter, 'setHeaders'>,
  reply: FastifyReply,
  { isAsync, fallback = limits.waitSeconds }: WaitOptions = {},
): number {
  if (isAsync !== undefined) return isAsync ? 0 : fallback;
  const preferred = readWait(listPreferences(reply.request));
  if (preferred === undefined) return fallback;
  setHeaders(reply, { 'preference-applied': preferred === 0 ? 'respond-async' : `wait=${preferred}` });
  return preferred;
}

/** Returns the preferences of a request (RFC 7240), in lowercase. */
const listPreferences = ({ headers }: Pick<FastifyRequest, 'headers'>): string[] =>
  String(headers.prefer ?? '')
    .split(',')
    .map((preference) => preference.trim().toLowerCase())
    .filter((preference) => preference !== '');

const waitPattern = /^wait *= *(?:(\d{1,4})|"(\d{1,4})")$/;
const isAsyncPreference = (preference: string) => preference === 'respond-async';

/** Returns the seconds of `wait=N`, or 0 for `respond-async`. Undefined if neither is present. */
function readWait(preferences: readonly string[]): number | undefined {
  if (preferences.some(isAsyncPreference)) return 0;
  const match = preferences.map((text) => waitPattern.exec(text)).find((found) => found !== null);
  return match ? Math.min(Number(match[1] ?? match[2]), limits.maxWaitSeconds) : undefined;
}

/** Maximum length of a preference in a note, characters. */
const shownLength = 40;

/**
 * Returns a note for each ignored preference, up to 5. Unknown preferences aren't errors (RFC 7240, 2). `waits`:
 * whether the request can wait for results.
 */
export const notePreferences = (request: Pick<FastifyRequest, 'headers'>, { waits = true } = {}): string[] =>
  listPreferences(request)
    .filter((preference) => !isAsyncPreference(preference) && !(waits && waitPattern.test(preference)))
    .map((preference) => `The preference "${preference.slice(0, shownLength)}" isn't supported and was ignored.`)
    .slice(0, 5);

/**
 * Returns the Idempotency-Key header, or undefined if there is none. Throws `invalid_parameter` if it's empty or too
 * long.
 */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const key = String(sent);
  if (key.trim() !== '' && key.length <= limits.idempotencyKeyLength) return key;
  const allowed = `1 to ${limits.idempotencyKeyLength} characters`;
  const param = 'Idempotency-Key';
  throw new AppError('invalid_parameter', { detail: mustBe(param, allowed), param, allowed, got: key });
}
