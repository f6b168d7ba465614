import type { IncomingMessage, ServerResponse } from 'node:http';
import S3rver from 's3rver';
import { type Accounts, checkSignature } from './check-signature.ts';
import { answerMissingCall, keepFolders, waitForFlush } from './s3rver-repairs.ts';

/** `accounts`: the only valid credentials (default: any). `pageSize`: objects per page of a listing. */
export type S3rverOptions = { directory: string; accounts?: Accounts | undefined; pageSize?: number | undefined };

/** Opens s3rver on a folder. Works around its bugs, and rejects requests that real servers reject. */
export function openS3rver({ directory, accounts, pageSize }: S3rverOptions) {
  const s3rver = new S3rver({ directory, silent: true, vhostBuckets: false });
  waitForFlush(s3rver, directory);
  keepFolders(s3rver, directory);
  /** s3rver's own request handler, without the added calls and rejections. */
  const handle = s3rver.callback();
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const rejection = findRejection(request, accounts);
    if (rejection) {
      response.writeHead(rejection.status, { 'content-type': 'application/xml' });
      response.end(request.method === 'HEAD' ? '' : `<Error><Code>${rejection.code}</Code></Error>`);
      return;
    }
    // Removes the checked signature, because s3rver supports only one account.
    if (accounts) delete request.headers.authorization;
    if (!(await answerMissingCall({ s3rver, directory, pageSize, request, response }))) handle(request, response);
  };
  return { handle, listener };
}

/**
 * Returns the error for a request with an invalid signature. Also returns an error for deleting multiple objects
 * without Content-MD5, as servers do that predate other checksums.
 */
function findRejection(request: IncomingMessage, accounts: Accounts | undefined) {
  const code = accounts && checkSignature(request, accounts);
  if (code) return { status: 403, code };
  const isBare = /\?delete\b/.test(request.url ?? '') && !request.headers['content-md5'];
  return isBare ? { status: 400, code: 'InvalidRequest' } : undefined;
}
