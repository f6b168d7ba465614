import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';

type HttpRequest = { headers: Record<string, string>; body?: unknown };

/**
 * Makes a client send Content-MD5 with calls that require a checksum, such as DeleteObjects. Every S3 server accepts it. The
 * SDK's default, CRC32, is rejected by servers that predate it (OpenStack Swift, older MinIO and Ceph).
 */
export function sendContentMd5(client: S3Client): void {
  // The low priority places it after the SDK's checksum and before the signature.
  client.middlewareStack.add(
    (next) => (args) => {
      replaceChecksum(args.request as HttpRequest);
      return next(args);
    },
    { name: 'sendContentMd5', step: 'build', priority: 'low' },
  );
}

const checksumHeader = /^x-amz-(sdk-)?checksum-/;

function replaceChecksum({ headers, body }: HttpRequest): void {
  const names = Object.keys(headers).filter((name) => checksumHeader.test(name.toLowerCase()));
  if (names.length === 0 || !(typeof body === 'string' || body instanceof Uint8Array)) return;
  for (const name of names) delete headers[name];
  headers['content-md5'] = createHash('md5').update(body).digest('base64');
}
