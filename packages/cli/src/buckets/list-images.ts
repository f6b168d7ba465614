import { createWriteStream } from 'node:fs';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, ListObjectsV2Command, type S3Client, type _Object as S3Object } from '@aws-sdk/client-s3';
import type { FoundImage, RemoteFile } from '../files/plan-items.ts';
import { callBucket, makeBucketClient } from './bucket-client.ts';
import { makeS3Url, parseS3Url } from './s3-url.ts';

type ListedObject = { key: string; sizeBytes: number; etag: string };

/**
 * Lists the images at an S3 URL. If an object has exactly this key, returns only that object. Otherwise, lists all
 * images below the prefix.
 */
export async function listImages(url: string, isImage: (name: string) => boolean): Promise<FoundImage[]> {
  const { bucket, prefix } = parseS3Url(url);
  const client = makeBucketClient();
  const describe = (object: ListedObject, base: string) => toFoundImage(client, { bucket, base, object });
  // Keys are sorted, so an object with exactly this key is the first with this prefix.
  const [first] = prefix && !url.endsWith('/') ? await listObjectPage(client, { bucket, prefix, limit: 1 }) : [];
  if (first?.key === prefix) return [describe(first, posix.dirname(`/${prefix}`).slice(1))];
  const found: FoundImage[] = [];
  for await (const object of listAllObjects(client, { bucket, prefix: prefix && `${prefix}/` }))
    if (isImage(object.key) && !isHidden(object.key.slice(prefix.length))) found.push(describe(object, prefix));
  return found;
}

/** Whether a part of a path starts with a dot. This includes `..`, which keeps results inside the output folder. */
const isHidden = (relative: string) => relative.split(/[/\\]/).some((part) => part.startsWith('.'));

type Query = { bucket: string; prefix: string; limit?: number };

async function listObjectPage(client: S3Client, { bucket, prefix, limit }: Query): Promise<ListedObject[]> {
  const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: limit });
  const { Contents = [] } = await callBucket(bucket, () => client.send(command));
  return Contents.map(toListedObject);
}

async function* listAllObjects(client: S3Client, { bucket, prefix }: Query): AsyncGenerator<ListedObject> {
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token });
    const page = await callBucket(bucket, () => client.send(command));
    yield* (page.Contents ?? []).map(toListedObject);
    token = page.NextContinuationToken;
  } while (token);
}

const toListedObject = ({ Key = '', Size = 0, ETag = '' }: S3Object): ListedObject => ({
  key: Key,
  sizeBytes: Size,
  etag: ETag,
});

function toFoundImage(
  client: S3Client,
  { bucket, base, object }: { bucket: string; base: string; object: ListedObject },
): FoundImage {
  const { key, sizeBytes, etag } = object;
  const below = key.slice(base.length).split('/').filter(Boolean).join('/');
  return {
    path: makeS3Url(bucket, key),
    relative: below.replace(/\.[^./\\]+$/, ''),
    root: posix.basename(base) || bucket,
    sizeBytes,
    version: etag,
    remote: makeRemoteFile(client, { bucket, object }),
  };
}

const headerBytes = 512 * 1024;
const maxDownloadAttempts = 3;

function makeRemoteFile(client: S3Client, { bucket, object }: { bucket: string; object: ListedObject }): RemoteFile {
  // `IfMatch` rejects an object that was replaced after it was listed.
  const input = { Bucket: bucket, Key: object.key, ...(object.etag && { IfMatch: object.etag }) };
  const open = (range: string | undefined, abortSignal: AbortSignal) =>
    callBucket(bucket, () => client.send(new GetObjectCommand({ ...input, Range: range }), { abortSignal }));
  return {
    download: async (path, signal) => {
      for (let attempt = 1; ; attempt += 1) {
        const { Body } = await open(undefined, signal);
        try {
          return await pipeline(Body as Readable, createWriteStream(path), { signal });
        } catch (error) {
          if (signal.aborted || attempt === maxDownloadAttempts)
            throw await callBucket(bucket, () => Promise.reject(error));
        }
      }
    },
    readHeader: async (signal) => {
      // Range requests fail for empty objects.
      if (object.sizeBytes === 0) return new Uint8Array();
      const { Body } = await open(`bytes=0-${headerBytes - 1}`, signal);
      return callBucket(bucket, async () => (await Body?.transformToByteArray()) ?? new Uint8Array());
    },
  };
}
