import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { readChunks } from '../read-chunks.ts';
import type { PutOptions, StoredObject } from '../storage.ts';
import { unavailable } from '../unavailable.ts';
import type { Watchdog } from '../watchdog.ts';
import type { BlockHolder, BlockPool } from './block-pool.ts';
import { callS3, type S3Context, statusOf, undefinedIfMissing } from './call-s3.ts';

type Source = { key: string; stream: Readable };

/**
 * Stores a stream of unknown length. Uses one call below 5 MiB, otherwise a multipart upload, which is aborted on
 * errors.
 */
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
        rest = await writePart(part, rest, options.signal);
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

async function writePart(part: Part, bytes: Buffer, signal: AbortSignal | undefined): Promise<Buffer> {
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

const abortStallMs = 5_000;

/** The first part starts the upload, and `complete` or `abort` ends it. */
function openMultipart(context: S3Context, key: string, options: PutOptions) {
  const { client, bucket: Bucket, stallMs } = context;
  const { signal, contentType: ContentType } = options;
  const parts: CompletedPart[] = [];
  let target: { Bucket: string; Key: string; UploadId: string | undefined } | undefined;
  const begin = () =>
    callS3({ what: `beginning ${key}`, stallMs, signal }, async ({ signal: abortSignal }) => {
      const command = new CreateMultipartUploadCommand({ Bucket, Key: key, ContentType });
      const { UploadId } = await client.send(command, { abortSignal });
      return { Bucket, Key: key, UploadId };
    });
  return {
    isBegun: () => target !== undefined,
    add: async (part: Part) => {
      target ??= await begin();
      const numbered = { ...target, PartNumber: parts.length + 1 };
      const { ETag } = await callS3({ what: `sending a part of ${key}`, stallMs, signal }, (watchdog) =>
        sendPart(part, watchdog, (body) =>
          client.send(new UploadPartCommand({ ...numbered, ...body }), { abortSignal: watchdog.signal }),
        ),
      );
      parts.push({ ETag, PartNumber: numbered.PartNumber });
    },
    complete: async () => {
      const command = new CompleteMultipartUploadCommand({
        ...(target as NonNullable<typeof target>),
        MultipartUpload: { Parts: parts },
      });
      await callS3({ what: `completing ${key}`, stallMs, signal }, ({ signal: abortSignal }) =>
        client.send(command, { abortSignal }),
      );
    },
    /** Deletes the parts stored by the server. Never throws, because `abortStaleMultiparts` deletes what remains. */
    abort: async () => {
      if (!target) return;
      const command = new AbortMultipartUploadCommand(target);
      const call = { what: `abandoning ${key}`, stallMs: Math.min(stallMs, abortStallMs) };
      await callS3(call, ({ signal: abortSignal }) => client.send(command, { abortSignal })).catch(() => undefined);
    },
  };
}

/** Aborts multipart uploads that began before `olderThan`. Returns their number. */
export async function abortStaleMultiparts(context: S3Context, olderThan: Date): Promise<number> {
  const { client, bucket: Bucket, stallMs } = context;
  let aborted = 0;
  for await (const { Key, UploadId, Initiated } of listMultiparts(context)) {
    if (!Initiated || Initiated >= olderThan) continue;
    // The upload may have been completed or aborted in the meantime.
    await callS3({ what: `abandoning ${Key}`, stallMs }, ({ signal: abortSignal }) =>
      undefinedIfMissing(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal })),
    );
    aborted++;
  }
  return aborted;
}

async function* listMultiparts({ client, bucket: Bucket, stallMs }: S3Context) {
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket,
      KeyMarker: page?.NextKeyMarker,
      UploadIdMarker: page?.NextUploadIdMarker,
    });
    page = await callS3({ what: 'listing unfinished uploads', stallMs }, ({ signal: abortSignal }) =>
      client.send(command, { abortSignal }),
    );
    yield* page.Uploads ?? [];
  } while (page.IsTruncated);
}

/** Always call `release`. */
type Part = ReturnType<typeof openPart>;

function openPart(pool: BlockPool) {
  const { blockBytes, blocksPerPart } = pool.options;
  const holder: BlockHolder = { blocks: [] };
  let sizeBytes = 0;
  let hash = createHash('md5');
  function* readBlocks(onRead: () => void): Generator<Buffer> {
    for (const [index, block] of holder.blocks.entries()) {
      onRead();
      yield block.subarray(0, Math.min(blockBytes, sizeBytes - index * blockBytes));
    }
  }
  return {
    sizeBytes: () => sizeBytes,
    isFull: () => sizeBytes === blockBytes * blocksPerPart,
    /** Copies as many `bytes` as fit into the current block, and returns the rest. May wait for memory. */
    write: async (bytes: Buffer, signal?: AbortSignal) => {
      if (sizeBytes === holder.blocks.length * blockBytes) await pool.take(holder, signal);
      const copied = bytes.copy(holder.blocks.at(-1) as Buffer, sizeBytes % blockBytes);
      hash.update(bytes.subarray(0, copied));
      sizeBytes += copied;
      return bytes.subarray(copied);
    },
    /** Returns a new stream over the bytes, for one attempt to send them. Calls `onRead` before each block. */
    read: (onRead: () => void) => Readable.from(readBlocks(onRead), { objectMode: false }),
    /** Returns the MD5 digest in Base64, as Content-MD5 requires. */
    md5: () => hash.copy().digest('base64'),
    release: () => {
      pool.release(holder);
      sizeBytes = 0;
      hash = createHash('md5');
    },
  };
}

type Body = { Body: Readable; ContentLength: number; ContentMD5: string };

const maxAttempts = 3;

/**
 * Sends a part. Tries up to three times, because the SDK never retries a stream. With Content-MD5, every server can
 * detect corruption.
 */
async function sendPart<T>(part: Part, watchdog: Watchdog, send: (body: Body) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const stream = part.read(watchdog.touch);
    try {
      return await send({ Body: stream, ContentLength: part.sizeBytes(), ContentMD5: part.md5() });
    } catch (error) {
      if (attempt === maxAttempts || watchdog.signal.aborted || !isTransient(error)) throw error;
    } finally {
      stream.destroy();
    }
    await delay(100 * 2 ** attempt * (0.5 + Math.random() / 2), undefined, { signal: watchdog.signal });
  }
}

/** Whether a retry may succeed: no response, overload, a server error, or bytes corrupted in transit. */
function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 429 || status >= 500 || (error as Error).name === 'BadDigest';
}
