import { AppError } from '@uprez/contracts/errors/app-error';

export type FailureReason = 'dns' | 'timeout' | 'certificate' | 'tls' | 'unreachable' | 'broken';

const reasons: readonly [codes: RegExp, reason: FailureReason][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|EBADNAME)/, 'dns'],
  [/TIMEOUT|ETIMEDOUT|^ABORT|TimeoutError/, 'timeout'],
  [/CERT|^SELF_SIGNED|UNABLE_TO_|ISSUER/, 'certificate'],
  [/^(ERR_SSL|EPROTO)/, 'tls'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'unreachable'],
];

/** Messages for the person who provided the URL. They contain no IP addresses. */
const sentences: Record<FailureReason, string> = {
  dns: "The server's host name couldn't be resolved.",
  timeout: 'The server took too long to respond.',
  certificate: "The server's certificate is invalid.",
  tls: 'The TLS handshake with the server failed.',
  unreachable: "The server couldn't be reached.",
  broken: 'The connection to the server was lost.',
};

/** Creates the error for a server that didn't send the file. */
export const unreachable = (why: string, cause?: unknown, limitName?: 'fetch_time') =>
  new AppError('url_unreachable', { detail: why, param: 'imageUrl', cause, limitName });

export function failureReason(error: unknown): FailureReason {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const key = typeof code === 'string' ? code : String(name);
  return reasons.find(([codes]) => codes.test(key))?.[1] ?? 'broken';
}

/** Converts any error from fetching a URL to an error that can be shown to clients. */
export function describeFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = failureReason(error);
  return unreachable(sentences[reason], error, reason === 'timeout' ? 'fetch_time' : undefined);
}
