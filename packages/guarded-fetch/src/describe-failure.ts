import { AppError } from '@uprez/contracts/app-error';

/** Error codes of Node and undici, and what they mean to somebody who gave a URL. Nothing here names an address. */
const sentences: readonly [codes: RegExp, says: string][] = [
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'There is no such server.'],
  [/TIMEOUT|ETIMEDOUT|^ABORT|TimeoutError/, 'The server took too long.'],
  [/CERT|^SELF_SIGNED|UNABLE_TO_|ISSUER/, "The server's certificate is not valid."],
  [/^(ERR_SSL|EPROTO)/, 'The server speaks no TLS that we know.'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'The server cannot be reached.'],
];
const otherwise = 'The connection to the server broke.';

/** The refusal of a server that did not give the file, with a sentence that says why. */
export const unreachable = (why: string, cause?: unknown) =>
  new AppError('url_unreachable', { detail: `${why} Nothing was charged.`, param: 'imageUrl', cause });

/** Anything thrown while a URL was fetched as a public error. */
export function describeFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const key = typeof code === 'string' ? code : String(name);
  return unreachable(sentences.find(([codes]) => codes.test(key))?.[1] ?? otherwise, error);
}
