import { limits } from '../policy/limits.ts';

type HeaderFacts = { description: string; kind: 'text' | 'count' | 'time' | 'uuid'; example: string };
const makeHeader = (description: string, kind: HeaderFacts['kind'], example: string): HeaderFacts => ({
  description,
  kind,
  example,
});

const etag = '"3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea"';

export const v1RequestHeaders = {
  'Idempotency-Key': makeHeader(
    `A unique value that you generate for each request. Within ${limits.idempotencyHours} hours, a request with the same key, image, and options returns the existing job. A request with the same key and another image or other options fails with \`idempotency_mismatch\`. If the result was deleted, the request fails with \`result_expired\`. An empty value fails with \`invalid_parameter\`.`,
    'text',
    'order-1234-cover',
  ),
  Prefer: makeHeader(
    `\`wait=N\` waits up to N seconds for the result (default ${limits.waitSeconds}, or ${limits.maxWaitSeconds} for the image itself; maximum ${limits.maxWaitSeconds}). \`respond-async\` returns immediately. Other preferences are ignored, and listed in the \`notes\` of the job or batch.`,
    'text',
    'wait=60',
  ),
  Range: makeHeader('Range of bytes to download.', 'text', 'bytes=0-1023'),
  'Last-Event-ID': makeHeader(
    'The `id` of the last event that you received. Only later states of the job are sent.',
    'text',
    '1795262400000000',
  ),
  'If-None-Match': makeHeader(
    'The `ETag` of a file that you have. If it has not changed, the response is 304.',
    'text',
    etag,
  ),
} as const;
export type V1RequestHeader = keyof typeof v1RequestHeaders;

const limitText = 'Maximum number of requests in the current window.';
const remainingText = 'Requests left in the current window.';
const resetText = 'Seconds until the next window starts.';

/** Response headers of the public API. CORS exposes all of them to scripts on allowed origins. */
export const v1ResponseHeaders = {
  Location: makeHeader('URL of the job or batch.', 'text', '/v1/jobs/0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e'),
  'Retry-After': makeHeader('Seconds to wait before the next attempt.', 'count', '5'),
  'RateLimit-Limit': makeHeader(limitText, 'count', '120'),
  'RateLimit-Remaining': makeHeader(remainingText, 'count', '119'),
  'RateLimit-Reset': makeHeader(resetText, 'count', '42'),
  'X-RateLimit-Limit': makeHeader(`${limitText} Same as \`RateLimit-Limit\`.`, 'count', '120'),
  'X-RateLimit-Remaining': makeHeader(`${remainingText} Same as \`RateLimit-Remaining\`.`, 'count', '119'),
  'X-RateLimit-Reset': makeHeader(`${resetText} Same as \`RateLimit-Reset\`.`, 'count', '42'),
  'Preference-Applied': makeHeader('The part of `Prefer` that was applied.', 'text', 'wait=60'),
  'X-Cache': makeHeader(
    '`hit`: the result is a copy of a stored result of the same image and options, at no charge. `miss`: the image was processed. Absent if the job is unfinished, or the request repeats an `Idempotency-Key`.',
    'text',
    'miss',
  ),
  'X-Credits-Charged': makeHeader(
    'Credits charged for this request. They are refunded if its job fails or is free.',
    'count',
    '1',
  ),
  'X-Credits-Remaining': makeHeader('Credits left in your plan.', 'count', '4999'),
  'X-Quota-Reset': makeHeader('Time at which your quota resets.', 'time', '2026-12-01T00:00:00.000Z'),
  'WWW-Authenticate': makeHeader('Authentication scheme to use.', 'text', 'Bearer'),
  Link: makeHeader(
    'URL of the receipt of the job, with `rel="describedby"`. Only if the response is the image.',
    'text',
    '</v1/jobs/0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e/receipt>; rel="describedby"; type="application/json"',
  ),
  ETag: makeHeader('SHA-256 of the file, in quotation marks.', 'text', etag),
  'Content-Disposition': makeHeader('Name of the file.', 'text', 'attachment; filename=photo-4x.jpg'),
  'X-Error-Code': makeHeader('Error code, as in the response body.', 'text', 'invalid_parameter'),
  'X-Job-Id': makeHeader('ID of the job.', 'uuid', '0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e'),
  'X-Request-Id': makeHeader(
    'ID of the request. Include it when you contact support.',
    'uuid',
    '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ),
} as const;
export type V1ResponseHeader = keyof typeof v1ResponseHeaders;

export const rateHeaders = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly V1ResponseHeader[];
export const creditHeaders = [
  'X-Credits-Charged',
  'X-Credits-Remaining',
  'X-Quota-Reset',
] as const satisfies readonly V1ResponseHeader[];

/** Content types of `POST /v1/process` responses, in addition to those of specific image formats. */
export const resultTypes = {
  json: 'application/json',
  images: 'image/*',
  octets: 'application/octet-stream',
  events: 'text/event-stream',
} as const;
