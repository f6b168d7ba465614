import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '@uprez/contracts/errors/app-error';
import { checkKey, checkPrefix } from './object-keys.ts';
import { checkedStream, resolveRange } from './read-chunks.ts';
import { type BlockPool, uploadMemory } from './s3/block-pool.ts';
import { callS3, type S3Context, statusOf, toErrorWithoutRequest, undefinedIfMissing } from './s3/call-s3.ts';
import { ensureBucket, ensureExpiryRule, requireBucket } from './s3/ensure-bucket.ts';
import { abortStaleMultiparts, putObject } from './s3/put-object.ts';
import type { FetchedObject, GetOptions, ListedObject, ObjectFacts, Storage } from './storage.ts';
import { unavailable } from './unavailable.ts';

type S3Endpoint = {
  region: string;
  /** URL of the S3 server. Defaults to AWS. */
  endpoint?: string | undefined;
  forcePathStyle?: boolean | undefined;
  /** Without a key, the SDK's default credential chain is used (instance role, environment). */
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
};

export type S3StorageOptions = S3Endpoint & {
  bucket: string;
  /** URL at which browsers can reach the S3 server. Without it, `presignGet` doesn't exist. */
  publicEndpoint?: string | undefined;
  /** Time without progress after which a request is aborted. */
  stallMs?: number | undefined;
  /** Memory for uploads. By default, the pool that all uploads of the process share. */
  memory?: BlockPool;
};

const defaultStallMs = 30_000;
const checkLimitMs = 5_000;

/** Opens object storage in one bucket of an S3 server. Connects on the first call. */
export function openS3Storage(options: S3StorageOptions): Storage {
  const { bucket, publicEndpoint, stallMs = defaultStallMs, memory = uploadMemory } = options;
  const client = createClient(options);
  const context: S3Context = { client, bucket, stallMs, memory };
  const presigner = publicEndpoint ? createClient({ ...options, endpoint: publicEndpoint }) : undefined;
  return {
    put: async (key, stream, put = {}) => putObject(context, { key: checkKey(key), stream }, put),
    get: async (key, get = {}) => getObject(context, checkKey(key), get),
    head: async (key) => headObject(context, checkKey(key)),
    deleteMany: async (keys) => deleteObjects(context, keys.map(checkKey)),
    list: (prefix) => listObjects(context, checkPrefix(prefix)),
    ...(presigner && { presignGet: makePresignGet(presigner, bucket) }),
    check: () => requireBucket(context, Math.min(stallMs, checkLimitMs)),
    ensure: async () => {
      // AWS requires the region, except for us-east-1. Other servers may use different region names.
      await ensureBucket(context, options.endpoint || options.region === 'us-east-1' ? undefined : options.region);
      return { id: undefined, expiresStaleUploads: await ensureExpiryRule(context) };
    },
    abortStaleUploads: (olderThan) => abortStaleMultiparts(context, olderThan),
    close: async () => {
      client.destroy();
      presigner?.destroy();
    },
  };
}

const makePresignGet =
  (client: S3Client, bucket: string): NonNullable<Storage['presignGet']> =>
  (key, { expiresS, contentType, contentDisposition }) => {
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: checkKey(key),
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
    });
    return getSignedUrl(client, command, { expiresIn: expiresS });
  };

const connectTimeoutMs = 5_000;
// Silences the SDK, which would print a warning for every attempt. Our own errors report each failure once.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const maxSockets = 256; // every streaming download holds one

/** Uses only checksums that every S3 server supports. Callers set the stall limits (see `callS3`). */
function createClient({ region, endpoint, forcePathStyle, accessKeyId, secretAccessKey }: S3Endpoint): S3Client {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    // Turns off the SDK's default checksums, because some servers store their framing as content. We send Content-MD5
    // instead, and verify our own SHA-256 when reading.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false, // it would open a new connection for every part
    logger: silent,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: 0,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
  });
  sendContentMd5(client);
  return client;
}

type HttpRequest = { headers: Record<string, string>; body?: unknown };

/**
 * Makes a client send Content-MD5 with calls that require a checksum, such as DeleteObjects. Every S3 server accepts it. The
 * SDK's default, CRC32, is rejected by servers that predate it (OpenStack Swift, older MinIO and Ceph).
 */
function sendContentMd5(client: S3Client): void {
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

async function getObject(context: S3Context, key: string, options: GetOptions): Promise<FetchedObject> {
  const { client, bucket: Bucket, stallMs } = context;
  const { range, signal } = options;
  const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
  const answer = await callS3({ what: `opening ${key}`, stallMs, signal }, async ({ signal: abortSignal }) => {
    try {
      return await client.send(new GetObjectCommand({ Bucket, Key: key, Range }), { abortSignal });
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey')
        return new AppError('not_found', { cause: toErrorWithoutRequest(error) });
      if (statusOf(error) === 416)
        return new AppError('invalid_parameter', { param: 'range', cause: toErrorWithoutRequest(error) });
      throw error;
    }
  });
  if (answer instanceof AppError) throw answer;
  const sizeBytes = Number(answer.ContentRange ? answer.ContentRange.split('/')[1] : answer.ContentLength);
  const { lengthBytes } = resolveRange(range, sizeBytes);
  const stream = checkedStream(answer.Body as Readable, { ...options, key, lengthBytes, stallMs });
  return { stream, sizeBytes, lengthBytes };
}

async function headObject(context: S3Context, key: string): Promise<ObjectFacts | undefined> {
  const { client, bucket: Bucket, stallMs } = context;
  const answer = await callS3({ what: `looking up ${key}`, stallMs }, ({ signal: abortSignal }) =>
    undefinedIfMissing(client.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal })),
  );
  if (answer) return { sizeBytes: answer.ContentLength ?? 0, modifiedAt: answer.LastModified ?? new Date(0) };
  // A HEAD response doesn't distinguish a missing object from a missing bucket, so check the bucket.
  await requireBucket(context, stallMs);
  return undefined;
}

async function* listObjects(context: S3Context, prefix: string): AsyncGenerator<ListedObject> {
  const { client, bucket: Bucket, stallMs } = context;
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token });
    const page = await callS3({ what: `listing ${prefix}`, stallMs }, ({ signal: abortSignal }) =>
      client.send(command, { abortSignal }),
    );
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      if (Key && LastModified) yield { key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified };
    }
    token = page.NextContinuationToken;
  } while (token);
}

// S3 allows 1,000 keys, but servers that delete one object at a time would exceed the stall limit.
const deletePageSize = 100;

/** Rejects if the server couldn't delete an object. */
async function deleteObjects(context: S3Context, keys: readonly string[]): Promise<void> {
  const { client, bucket: Bucket, stallMs } = context;
  for (let start = 0; start < keys.length; start += deletePageSize) {
    const Objects = keys.slice(start, start + deletePageSize).map((Key) => ({ Key }));
    const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
    const { Errors = [] } = await callS3({ what: 'deleting objects', stallMs }, ({ signal: abortSignal }) =>
      client.send(command, { abortSignal }),
    );
    const [failed] = Errors;
    if (failed) throw unavailable('deleting objects', new Error(`${failed.Key}: ${failed.Code} ${failed.Message}`));
  }
}
