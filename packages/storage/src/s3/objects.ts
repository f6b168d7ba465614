import type { Readable } from 'node:stream';
import { DeleteObjectsCommand, GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { AppError } from '@uprez/contracts/errors/app-error';
import { checkedStream, resolveRange } from '../read-chunks.ts';
import type { FetchedObject, GetOptions, ListedObject, ObjectFacts } from '../storage.ts';
import { unavailable } from '../unavailable.ts';
import { callS3, type S3Context, statusOf, unlessMissing, withoutRequest } from './call-s3.ts';
import { requireBucket } from './ensure-bucket.ts';

/** Opens an object for reading. Errors as `Storage.get`. */
export async function getObject(context: S3Context, key: string, options: GetOptions): Promise<FetchedObject> {
  const { client, bucket: Bucket, stallMs } = context;
  const { range, signal } = options;
  const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
  const answer = await callS3({ what: `opening ${key}`, stallMs, signal }, async ({ signal: abortSignal }) => {
    try {
      return await client.send(new GetObjectCommand({ Bucket, Key: key, Range }), { abortSignal });
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return new AppError('not_found', { cause: withoutRequest(error) });
      if (statusOf(error) === 416)
        return new AppError('invalid_parameter', { param: 'range', cause: withoutRequest(error) });
      throw error;
    }
  });
  if (answer instanceof AppError) throw answer;
  const sizeBytes = Number(answer.ContentRange ? answer.ContentRange.split('/')[1] : answer.ContentLength);
  const { lengthBytes } = resolveRange(range, sizeBytes);
  const stream = checkedStream(answer.Body as Readable, { ...options, key, lengthBytes, stallMs });
  return { stream, sizeBytes, lengthBytes };
}

export async function headObject(context: S3Context, key: string): Promise<ObjectFacts | undefined> {
  const { client, bucket: Bucket, stallMs } = context;
  const answer = await callS3({ what: `looking up ${key}`, stallMs }, ({ signal: abortSignal }) =>
    unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal })),
  );
  if (answer) return { sizeBytes: answer.ContentLength ?? 0, modifiedAt: answer.LastModified ?? new Date(0) };
  // A HEAD does not say whether the object or the whole bucket is missing.
  await requireBucket(context, stallMs);
  return undefined;
}

/** Every object whose key begins with `prefix`, a page of 1,000 at a time. */
export async function* listObjects(context: S3Context, prefix: string): AsyncGenerator<ListedObject> {
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

// S3 allows 1,000. Servers that delete one by one would take longer than a stall limit for as many.
const deletePageSize = 100;

/** Deletes objects; missing ones are fine. Rejects when the server could not delete one of them. */
export async function deleteObjects(context: S3Context, keys: readonly string[]): Promise<void> {
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
