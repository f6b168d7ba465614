import { AppError } from '@uprez/contracts/errors/app-error';

/** Why a server did not answer, in a word. */
export type FailureReason = 'dns' | 'timeout' | 'certificate' | 'tls' | 'unreachable' | 'broken';

/** Error codes of Node and undici, and what they mean. */
const reasons: readonly [codes: RegExp, reason: FailureReason][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|EBADNAME)/, 'dns'],
  [/TIMEOUT|ETIMEDOUT|^ABORT|TimeoutError/, 'timeout'],
  [/CERT|^SELF_SIGNED|UNABLE_TO_|ISSUER/, 'certificate'],
  [/^(ERR_SSL|EPROTO)/, 'tls'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'unreachable'],
];

/** The same to somebody who gave a URL. Nothing here names an address. */
const sentences: Record<FailureReason, string> = {
  dns: "The server's host name couldn't be resolved.",
  timeout: 'The server took too long to respond.',
  certificate: "The server's certificate is invalid.",
  tls: 'The TLS handshake with the server failed.',
  unreachable: "The server couldn't be reached.",
  broken: 'The connection to the server was lost.',
};

/** The error of a server that did not send the file. */
export const unreachable = (why: string, cause?: unknown, limitName?: 'fetch_time') =>
  new AppError('url_unreachable', { detail: why, param: 'imageUrl', cause, limitName });

/** Why a server did not answer, of anything that was thrown while it was asked. */
export function failureReason(error: unknown): FailureReason {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const key = typeof code === 'string' ? code : String(name);
  return reasons.find(([codes]) => codes.test(key))?.[1] ?? 'broken';
}

/** Anything thrown while a URL was fetched as a public error. */
export function describeFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = failureReason(error);
  return unreachable(sentences[reason], error, reason === 'timeout' ? 'fetch_time' : undefined);
}
