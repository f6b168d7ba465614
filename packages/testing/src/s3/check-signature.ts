import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Secret access keys by access key ID. */
export type Accounts = Record<string, string>;

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Checks the signature of a request as S3 does (Signature Version 4, in the `Authorization` header). Returns the S3
 * error code, or `undefined` if the signature is valid. Doesn't check the body.
 */
export function checkSignature(request: IncomingMessage, accounts: Accounts): string | undefined {
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
