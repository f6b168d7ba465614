import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { readChunks } from '../read-chunks.ts';
import type { PutOptions, StoredObject } from '../storage.ts';
import { unavailable } from '../unavailable.ts';
import { callS3, type S3Context } from './call-s3.ts';
import { openMultipart } from './open-multipart.ts';
import { openPart, type Part, sendPart } from './open-part.ts';

type Source = { key: string; stream: Readable };

/** Store a stream of unknown length: up to 5 MiB in one call, more as a multipart upload, aborted on errors. */
export async function putObject(context: S3Context, source: Source, options: PutOptions): Promise<StoredObject> {
  const part = openPart(context.memory);
  const multipart = openMultipart(context, source.key, options);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of readChunks(source.stream, options)) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      for (let rest = chunk; rest.length > 0; ) {
        rest = await collect(part, rest, options.signal);
        if (!part.isFull()) continue;
        await multipart.add(part); // at once: a full part that waited for its client would keep others waiting
        part.release();
      }
    }
    if (!multipart.isBegun()) await putWhole(context, { key: source.key, part }, options);
    else {
      if (part.sizeBytes() > 0) await multipart.add(part);
      await multipart.complete();
    }
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    part.release(); // before the abort, which may take seconds
    await multipart.abort();
    throw error;
  } finally {
    part.release();
  }
}

async function collect(part: Part, bytes: Buffer, signal: AbortSignal | undefined): Promise<Buffer> {
  try {
    return await part.write(bytes, signal);
  } catch (error) {
    throw signal?.aborted ? signal.reason : unavailable('waiting for upload memory', error);
  }
}

async function putWhole(context: S3Context, { key, part }: { key: string; part: Part }, options: PutOptions) {
  const { client, bucket: Bucket, stallMs } = context;
  await callS3({ what: `putting ${key}`, stallMs, signal: options.signal }, (watchdog) =>
    sendPart(part, watchdog, (body) =>
      client.send(new PutObjectCommand({ Bucket, Key: key, ContentType: options.contentType, ...body }), {
        abortSignal: watchdog.signal,
      }),
    ),
  );
}
