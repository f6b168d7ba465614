import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { fileExtensions } from '@uprez/sdk-node/facts';
import { type ExistingResult, ExistsError, type Placement } from '../files/place-result.ts';
import { callBucket, makeBucketClient, statusOf } from './bucket-client.ts';
import { keyOf, parseS3Url } from './s3-url.ts';

const itemMetadataField = 'uprez-item';

/**
 * Opens the results below an S3 URL. The returned `folder` is the local folder that holds the journal for this URL.
 * Throws CliError if the bucket can't be used.
 */
export async function openBucketResults(url: string, stateDir: string) {
  const { bucket, prefix } = parseS3Url(url);
  const client = makeBucketClient();
  const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 });
  await callBucket(bucket, () => client.send(list));
  const { hostname, port } = await endpointOf(client);
  const name = createHash('sha256')
    .update(JSON.stringify([hostname, port, bucket, prefix]))
    .digest('hex')
    .slice(0, 32);
  const find = (output: string) => findObject(client, { bucket, key: keyOf(prefix, output) });
  return {
    folder: join(stateDir, 'buckets', name),
    find,
    checkWritable: () => checkWritable(client, { bucket, key: keyOf(prefix, '.uprez-write-check') }),
    place: async (part: string, { output, key, force, signal }: Placement) => {
      const existing = force ? undefined : await find(output);
      if (existing && existing.key !== key) throw new ExistsError(output);
      await putFile(client, { bucket, key: keyOf(prefix, output), part, item: key, signal });
    },
  };
}

const endpointOf = async ({ config }: S3Client): Promise<{ hostname: string; port?: number }> =>
  (await config.endpoint?.()) ?? { hostname: 'aws' };

type ObjectKey = { bucket: string; key: string };

async function findObject(client: S3Client, { bucket, key }: ObjectKey): Promise<ExistingResult | undefined> {
  return callBucket(bucket, async () => {
    try {
      const { ContentLength = 0, Metadata } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
      return { bytes: ContentLength, key: Metadata?.[itemMetadataField] };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  });
}

/** Checks write access before any image is charged. Starts an upload and aborts it, which creates no object. */
async function checkWritable(client: S3Client, { bucket, key }: ObjectKey): Promise<void> {
  const input = { Bucket: bucket, Key: key };
  const { UploadId } = await callBucket(bucket, () => client.send(new CreateMultipartUploadCommand(input)));
  // If the credentials don't permit aborting, the empty upload stays incomplete.
  await client.send(new AbortMultipartUploadCommand({ ...input, UploadId })).catch(() => undefined);
}

type PutFileInput = ObjectKey & { part: string; item: string; signal: AbortSignal };

async function putFile(client: S3Client, { bucket, key, part, item, signal }: PutFileInput): Promise<void> {
  const { size } = await stat(part);
  const format = Object.entries(fileExtensions).find(([, extension]) => `.${extension}` === extname(key))?.[0];
  const put = () =>
    client.send(
      new PutObjectCommand({
        ...{ Bucket: bucket, Key: key, Body: createReadStream(part), ContentLength: size },
        ...{ ContentType: format && `image/${format}`, Metadata: { [itemMetadataField]: item } },
      }),
      { abortSignal: signal },
    );
  // Retries once here, because the SDK doesn't retry streams. An interrupted upload leaves no object.
  await callBucket(bucket, () =>
    put().catch((error) => (isRetryable(error) && !signal.aborted ? put() : Promise.reject(error))),
  );
}

const isRetryable = (error: unknown) => (statusOf(error) ?? 500) >= 500;
