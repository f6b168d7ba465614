import { readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type S3rver from 's3rver';

type Written = { size: number };
type Listed = { key: string; size: number; metadata: { etag?: string }; lastModifiedDate: Date };
type Store = {
  getBucket(bucket: string): Promise<unknown>;
  listObjects(
    bucket: string,
    options: { prefix: string; startAfter: string; maxKeys: number },
  ): Promise<{ objects: Listed[]; isTruncated: boolean }>;
  deleteObject(bucket: string, key: string): Promise<void>;
  putPart(bucket: string, uploadId: string, partNumber: string, content: unknown): Promise<Written>;
  putObject(object: { bucket: string; key: string }): Promise<Written>;
};

const storeOf = (s3rver: S3rver) => (s3rver as unknown as { store: Store }).store;

/**
 * Makes uploads wait until the file on disk has its full size. s3rver responds earlier, so an immediate read may be too
 * short.
 */
export function waitForFlush(s3rver: S3rver, directory: string): void {
  const store = storeOf(s3rver);
  const putPart = store.putPart.bind(store);
  store.putPart = async (...part) => {
    const written = await putPart(...part);
    const [bucket, uploadId, partNumber] = part;
    await untilSize(join(uploadsOf(directory, bucket), uploadId, partNumber), written.size);
    return written;
  };
  const putObject = store.putObject.bind(store);
  store.putObject = async (object) => {
    const written = await putObject(object);
    await untilSize(join(directory, object.bucket, `${object.key}._S3rver_object`), written.size);
    return written;
  };
}

async function untilSize(path: string, size: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while ((await stat(path)).size !== size) {
    if (Date.now() > deadline) throw new Error(`${path} did not reach ${size} bytes`);
    await delay(2);
  }
}

const files = ['object', 'object.md5', 'metadata.json'];

/**
 * Keeps folders when their last object is deleted. s3rver would delete them even while it is creating a file in them,
 * which crashes the process.
 */
export function keepFolders(s3rver: S3rver, directory: string): void {
  storeOf(s3rver).deleteObject = async (bucket, key) => {
    await Promise.all(files.map((file) => rm(join(directory, bucket, `${key}._S3rver_${file}`), { force: true })));
  };
}

type Call = {
  s3rver: S3rver;
  directory: string;
  pageSize?: number | undefined;
  request: IncomingMessage;
  response: ServerResponse;
};

/**
 * Handles the calls that s3rver lacks: AbortMultipartUpload and ListMultipartUploads. Also handles ListObjectsV2,
 * because s3rver encrypts its page tokens with DES, which Node.js removed in version 17. Returns false for other calls.
 */
export async function answerMissingCall({
  s3rver,
  directory,
  pageSize = 1000,
  request,
  response,
}: Call): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3.local');
  const bucket = pathname.split('/')[1] ?? '';
  const uploadId = searchParams.get('uploadId');
  const answer = (status: number, xml: string) => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
    return true;
  };
  if (request.method === 'DELETE' && uploadId) {
    const known = (await listOpenUploads(directory, bucket)).includes(uploadId);
    if (known) await rm(join(uploadsOf(directory, bucket), uploadId), { recursive: true });
    return answer(known ? 204 : 404, known ? '' : '<Error><Code>NoSuchUpload</Code></Error>');
  }
  if (request.method !== 'GET') return false;
  if (searchParams.has('uploads')) return answer(200, await uploadsXml(directory, bucket));
  const isListing = searchParams.get('list-type') === '2' && (await storeOf(s3rver).getBucket(bucket));
  return isListing ? answer(200, await objectsXml(storeOf(s3rver), { bucket, pageSize, params: searchParams })) : false;
}

const uploadsOf = (directory: string, bucket: string) => join(directory, bucket, '._S3rver_uploads');

/** Returns the IDs of the unfinished multipart uploads of a bucket. */
export async function listOpenUploads(directory: string, bucket: string): Promise<string[]> {
  return readdir(uploadsOf(directory, bucket)).catch(() => []);
}

async function uploadsXml(directory: string, bucket: string): Promise<string> {
  const ids = await listOpenUploads(directory, bucket);
  const uploads = await Promise.all(
    ids.map(async (id) => {
      const folder = join(uploadsOf(directory, bucket), id);
      const key = await readFile(join(folder, 'key'), 'utf8');
      const initiated = (await stat(join(folder, 'key'))).mtime.toISOString();
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    }),
  );
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`;
}

const escapeXml = (text = '') => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

type Listing = { bucket: string; pageSize: number; params: URLSearchParams };

async function objectsXml(store: Store, { bucket, pageSize, params }: Listing): Promise<string> {
  const { objects, isTruncated } = await store.listObjects(bucket, {
    prefix: params.get('prefix') ?? '',
    startAfter: params.get('continuation-token') ?? '',
    maxKeys: Math.min(pageSize, Number(params.get('max-keys') ?? pageSize)),
  });
  const token = isTruncated ? `<NextContinuationToken>${escapeXml(objects.at(-1)?.key)}</NextContinuationToken>` : '';
  const contents = objects.map(
    ({ key, size, metadata, lastModifiedDate }) =>
      `<Contents><Key>${escapeXml(key)}</Key><Size>${size}</Size><ETag>${metadata.etag}</ETag>` +
      `<LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`,
  );
  return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`;
}
