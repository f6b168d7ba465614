import type { IncomingMessage, ServerResponse } from 'node:http';
import type S3rver from 's3rver';

type Listed = { key: string; size: number; lastModifiedDate: Date };
type Store = {
  getBucket(bucket: string): Promise<unknown>;
  listObjects(
    bucket: string,
    options: { prefix: string; startAfter: string; maxKeys: number },
  ): Promise<{ objects: Listed[]; isTruncated: boolean }>;
};

const pageSize = 1000;

/**
 * Answers ListObjectsV2 of an existing bucket from s3rver's own store; false for every other call. s3rver makes the
 * token of the next page with DES, which Node has not had since version 17.
 */
export async function answerListCall(s3rver: S3rver, request: IncomingMessage, response: ServerResponse) {
  const { store } = s3rver as unknown as { store: Store };
  const url = new URL(request.url ?? '/', 'http://s3.local');
  const bucket = url.pathname.split('/')[1] ?? '';
  if (request.method !== 'GET' || url.searchParams.get('list-type') !== '2') return false;
  if (!(await store.getBucket(bucket))) return false;
  const { objects, isTruncated } = await store.listObjects(bucket, {
    prefix: url.searchParams.get('prefix') ?? '',
    startAfter: url.searchParams.get('continuation-token') ?? '',
    maxKeys: pageSize,
  });
  const token = isTruncated ? `<NextContinuationToken>${objects.at(-1)?.key}</NextContinuationToken>` : '';
  const contents = objects.map(
    ({ key, size, lastModifiedDate }) =>
      `<Contents><Key>${key}</Key><Size>${size}</Size>` +
      `<LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`,
  );
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`);
  return true;
}
