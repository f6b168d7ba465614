import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { checkKey, checkPrefix } from './object-keys.ts';
import { abortStaleMultiparts } from './s3/abort-stale-multiparts.ts';
import type { BlockPool } from './s3/block-pool.ts';
import { callS3, type S3Context } from './s3/call-s3.ts';
import { createClient, type S3Endpoint } from './s3/create-client.ts';
import { deleteObjects } from './s3/delete-objects.ts';
import { ensureBucket, ensureExpiryRule, headBucket } from './s3/ensure-bucket.ts';
import { getObject } from './s3/get-object.ts';
import { listObjects } from './s3/list-objects.ts';
import { uploadMemory } from './s3/part-limits.ts';
import { putObject } from './s3/put-object.ts';
import { isMissing } from './s3/s3-errors.ts';
import type { ObjectFacts, PresignOptions, Storage } from './storage.ts';
import { unavailable } from './unavailable.ts';

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
  const { bucket, stallMs = defaultStallMs, memory = uploadMemory } = options;
  const client = createClient(options);
  const context: S3Context = { client, bucket, stallMs, memory };
  const presigner = options.publicEndpoint
    ? openPresigner({ ...options, endpoint: options.publicEndpoint })
    : undefined;
  return {
    put: async (key, stream, put = {}) => putObject(context, { key: checkKey(key), stream }, put),
    get: async (key, get = {}) => getObject(context, checkKey(key), get),
    head: async (key) => headObject(context, checkKey(key)),
    deleteMany: async (keys) => deleteObjects(context, keys.map(checkKey)),
    list: (prefix) => listObjects(context, checkPrefix(prefix)),
    ...(presigner && { presignGet: presigner.presignGet }),
    check: async () => {
      if (!(await headBucket(context, Math.min(stallMs, checkLimitMs)))) throw noBucket(context);
    },
    ensure: async () => {
      // AWS wants the region named, except its first; other servers have their own idea of regions.
      await ensureBucket(context, options.endpoint || options.region === 'us-east-1' ? undefined : options.region);
      return { id: undefined, expiresStaleUploads: await ensureExpiryRule(context) };
    },
    abortStaleUploads: (olderThan) => abortStaleMultiparts(context, olderThan),
    close: async () => {
      client.destroy();
      presigner?.close();
    },
  };
}

async function headObject(context: S3Context, key: string): Promise<ObjectFacts | undefined> {
  const { client, bucket: Bucket, stallMs } = context;
  const answer = await callS3({ what: `looking up ${key}`, stallMs }, async ({ signal: abortSignal }) => {
    try {
      return await client.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  });
  if (answer) return { sizeBytes: answer.ContentLength ?? 0, modifiedAt: answer.LastModified ?? new Date(0) };
  // A HEAD does not say whether the object or the whole bucket is missing.
  if (!(await headBucket(context, stallMs))) throw noBucket(context);
  return undefined;
}

const noBucket = ({ bucket }: S3Context) => unavailable('check', new Error(`there is no bucket ${bucket}`));

function openPresigner(options: S3StorageOptions) {
  const client = createClient(options);
  return {
    presignGet: (key: string, { expiresS, contentType, contentDisposition }: PresignOptions) => {
      const command = new GetObjectCommand({
        Bucket: options.bucket,
        Key: checkKey(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
      });
      return getSignedUrl(client, command, { expiresIn: expiresS });
    },
    close: () => client.destroy(),
  };
}
