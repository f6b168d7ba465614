import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { AppError } from '@uprez/contracts/errors/app-error';
import { checkedStream } from '../checked-stream.ts';
import { resolveRange } from '../resolve-range.ts';
import type { FetchedObject, GetOptions } from '../storage.ts';
import { callS3, type S3Context } from './call-s3.ts';
import { statusOf, withoutRequest } from './s3-errors.ts';

/** Opens an object for reading. Errors as `Storage.get`. */
export async function getObject(context: S3Context, key: string, options: GetOptions): Promise<FetchedObject> {
  const { client, bucket: Bucket, stallMs } = context;
  const { range, sha256, signal } = options;
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
  const body = answer.Body as Readable;
  const total = answer.ContentRange ? answer.ContentRange.split('/')[1] : answer.ContentLength;
  const sizeBytes = Number(total);
  const { lengthBytes } = resolveRange(range, sizeBytes);
  return { stream: checkedStream(body, { key, lengthBytes, sha256, signal, stallMs }), sizeBytes, lengthBytes };
}
