type ServiceError = { name?: string; $metadata?: { httpStatusCode?: number; attempts?: number } };

/** A copy without the request and response that SDK errors carry: sockets, and headers with our signature. */
export function withoutRequest(error: unknown): Error {
  const { name = 'Error', $metadata } = error as ServiceError;
  const facts = $metadata ? ` (status ${$metadata.httpStatusCode}, attempts ${$metadata.attempts ?? 1})` : '';
  return new Error(`${name}: ${error instanceof Error ? error.message : String(error)}${facts}`);
}

/** HTTP status of an SDK error; undefined when no answer came. */
export const statusOf = (error: unknown) => (error as ServiceError).$metadata?.httpStatusCode;

/** The object, bucket or upload is not there. */
export const isMissing = (error: unknown) => statusOf(error) === 404;

/** The server understood us and will not: a feature it lacks (emulators, S3-like services) or a right we lack. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return (status >= 400 && status < 500 && status !== 429) || status === 501;
}

/** Trying the same call again may help: no response, overload, a server error, bytes damaged on the way. */
export function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 429 || status >= 500 || (error as ServiceError).name === 'BadDigest';
}
