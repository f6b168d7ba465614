import { limits } from '../policy/limits.ts';

/** `says`: what it means. `kind`: how its text is read. */
type HeaderFacts = { says: string; kind: 'text' | 'count' | 'time' | 'uuid'; example: string };
const header = (says: string, kind: HeaderFacts['kind'], example: string): HeaderFacts => ({ says, kind, example });

/** Headers of requests that calls of the public API listen to. */
export const v1RequestHeaders = {
  'Idempotency-Key': header(
    `A name of this very call, of your choice. Sent again with the same image and settings within ${limits.idempotencyHours} hours, the call answers with the job that it made the first time; with others it is refused.`,
    'text',
    'order-1234-cover',
  ),
  Prefer: header(
    `\`wait=N\`: wait for the result up to so many seconds (${limits.waitSeconds} where nothing is said, ${limits.maxWaitSeconds} at most). \`respond-async\`: answer with the job at once.`,
    'text',
    'wait=60',
  ),
  Range: header('Which bytes of the file are wanted.', 'text', 'bytes=0-1023'),
} as const;
export type V1RequestHeader = keyof typeof v1RequestHeaders;

const limit = 'Calls that are allowed in the present window.';
const remaining = 'Calls that are left in it.';
const reset = 'Seconds until the next window begins.';

/** Headers of the public API's answers. Pages of allowed origins may read them all. */
export const v1AnswerHeaders = {
  Location: header('Where the job or batch is found.', 'text', '/v1/jobs/0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e'),
  'Retry-After': header('Seconds to wait before the call is made again.', 'count', '5'),
  'RateLimit-Limit': header(limit, 'count', '120'),
  'RateLimit-Remaining': header(remaining, 'count', '119'),
  'RateLimit-Reset': header(reset, 'count', '42'),
  'X-RateLimit-Limit': header(`${limit} The same as \`RateLimit-Limit\`.`, 'count', '120'),
  'X-RateLimit-Remaining': header(`${remaining} The same as \`RateLimit-Remaining\`.`, 'count', '119'),
  'X-RateLimit-Reset': header(`${reset} The same as \`RateLimit-Reset\`.`, 'count', '42'),
  'Preference-Applied': header('What of `Prefer` was followed.', 'text', 'wait=60'),
  'X-Cache': header(
    '`hit`: answered with a stored result of the same image and settings, at no charge. `miss`: made anew. A call that is repeated with its `Idempotency-Key` has none.',
    'text',
    'miss',
  ),
  'X-Credits-Charged': header('Units that this call took.', 'count', '1'),
  'X-Credits-Remaining': header('Units that are left of the plan.', 'count', '4999'),
  'X-Quota-Reset': header('When the plan has all of its units again.', 'time', '2026-12-01T00:00:00.000Z'),
  'WWW-Authenticate': header('How a key is sent.', 'text', 'Bearer'),
  'X-Error-Code': header('The code of the error, as in its body.', 'text', 'invalid_parameter'),
  'X-Job-Id': header('The job that the call is about.', 'uuid', '0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e'),
  'X-Request-Id': header('Which call this was: tell it to support.', 'uuid', '7c9e6679-7425-40de-944b-e07fc1f90ae7'),
} as const;
export type V1AnswerHeader = keyof typeof v1AnswerHeaders;

/** Both families of headers that tell how many calls are left. */
export const rateHeaders = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly V1AnswerHeader[];
/** What calls tell that make images. */
export const creditHeaders = [
  'X-Credits-Charged',
  'X-Credits-Remaining',
  'X-Quota-Reset',
] as const satisfies readonly V1AnswerHeader[];
