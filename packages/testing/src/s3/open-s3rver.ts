import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import S3rver from 's3rver';
import { answerMissingCall, keepFolders, waitForFlush } from './s3rver-repairs.ts';

/** Secret access keys by access key ID. */
type Accounts = Record<string, string>;

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

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Checks the signature of a request as S3 does (Signature Version 4, in the `Authorization` header). Returns the S3
 * error code, or `undefined` if the signature is valid. Doesn't check the body.
 */
function checkSignature(request: IncomingMessage, accounts: Accounts): string | undefined {
  const { authorization = '' } = request.headers;
  const [, id, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(authorization) ??
    [];
  if (!id) return 'AccessDenied';
  const secret = accounts[id];
  if (!secret) return 'InvalidAccessKeyId';
  const url = new URL(request.url ?? '/', 'http://s3.local');
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const payload = String(request.headers['x-amz-content-sha256']);
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), names, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = scope.split('/').reduce((last, part) => hmac(last, part), Buffer.from(`AWS4${secret}`));
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
