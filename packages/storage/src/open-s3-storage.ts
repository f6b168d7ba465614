import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { checkKey, checkPrefix } from './object-keys.ts';
import { type BlockPool, uploadMemory } from './s3/block-pool.ts';
import type { S3Context } from './s3/call-s3.ts';
import { ensureBucket, ensureExpiryRule, requireBucket } from './s3/ensure-bucket.ts';
import { deleteObjects, getObject, headObject, listObjects } from './s3/objects.ts';
import { abortStaleMultiparts, putObject } from './s3/put-object.ts';
import { sendContentMd5 } from './s3/send-content-md5.ts';
import type { Storage } from './storage.ts';

type S3Endpoint = {
  region: string;
  /** Any S3 server; AWS itself when absent. */
  endpoint?: string | undefined;
  forcePathStyle?: boolean | undefined;
  /** Without a key the SDK's own chain is used (instance role, environment). */
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
};

export type S3StorageOptions = S3Endpoint & {
  bucket: string;
  /** The address that browsers reach; only with it `presignGet` exists. */
  publicEndpoint?: string | undefined;
  /** A request that makes no progress for this long is abandoned. */
  stallMs?: number | undefined;
  /** Memory of uploads; the process shares one. */
  memory?: BlockPool;
};

const defaultStallMs = 30_000;
const checkLimitMs = 5_000;

/** Object storage in one bucket of an S3 server. Connects at the first call. */
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
      // AWS wants the region named, except its first; other servers have their own idea of regions.
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
// Failures are told by our own errors, once; the SDK would warn of each attempt on the console.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const maxSockets = 256; // every streaming download holds one

/** An S3 client whose checksums every S3 server understands. Stall limits are the callers' (see `callS3`). */
function createClient({ region, endpoint, forcePathStyle, accessKeyId, secretAccessKey }: S3Endpoint): S3Client {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    // We send Content-MD5 and compare our own SHA-256 on reading; the SDK's default framing is stored as content by
    // some servers.
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
