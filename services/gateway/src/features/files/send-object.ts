import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { resultFormatOf } from '@uprez/contracts/policy/free-jobs';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import type { Needs } from '@uprez/domain/context';
import type { JobWithFiles, StoredObject } from '@uprez/domain/jobs/get-job';
import { type FairQueue, makeFairQueue } from '@uprez/domain/make-fair-queue';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { makeDisconnectSignal } from '../../http/connections.ts';
import { findRange, isNotModified } from '../../http/web/send-text.ts';
import { resultName } from '../jobs/present-job.ts';

type Storage = Needs<'storage'>['storage'];

export type FileResponse = {
  object: StoredObject;
  /** Account that the download counts toward. Null for visitors. */
  accountId: string | null;
  mimeType: string;
  filename: string;
  disposition: 'attachment' | 'inline';
  /** Whether the client can be redirected to storage with public URLs. */
  mayRedirect?: boolean;
  /** Whether browsers may cache the object. They always revalidate it. */
  mayKeep?: boolean;
  /**
   * Time for which any cache may store the object without revalidation, in seconds. If set, the gateway sends the
   * object itself instead of redirecting to a storage URL, which would expire.
   */
  publicFor?: number;
  whenGone?: ErrorCode;
};

/** Lifetime of a presigned storage URL, in seconds. */
const linkTtlS = 60;
const formatDisposition = (filename: string, type: FileResponse['disposition']) =>
  contentDisposition(filename, { type });

/**
 * Sends a stored object, or one range of it. Responds with 304 if the client already has the object. If storage has
 * public URLs, redirects to it. Otherwise, streams the data, and checks whole objects against their digest. Only GET
 * and HEAD requests support ranges and conditions (RFC 9110, 13.2.1 and 14.2), so other methods get the whole object.
 */
export async function sendObject(
  deps: { downloadTurns: FairQueue; storage: RememberedFiles & Pick<Storage, 'presignGet'> },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  sent: FileResponse,
): Promise<FastifyReply> {
  const { object, accountId, mimeType, filename, disposition, mayRedirect = true, mayKeep = true } = sent;
  const { publicFor, whenGone = 'result_expired' } = sent;
  const size = object.size ?? 0;
  const etag = `"${object.sha256}"`;
  const own = mayKeep ? 'private, no-cache' : 'no-store';
  reply.headers({ etag, 'cache-control': publicFor === undefined ? own : `public, max-age=${publicFor}` });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && isNotModified(request, etag)) return reply.status(304).send();
  const range = isRead ? findRange(request, { etag, sizeBytes: size }) : undefined;
  if (range && range.start >= size) {
    reply.header('content-range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable');
  }
  if (isRead && mayRedirect && publicFor === undefined && deps.storage.presignGet) {
    const options = {
      expiresS: linkTtlS,
      contentType: mimeType,
      contentDisposition: formatDisposition(filename, disposition),
    };
    reply.header('cache-control', 'no-store');
    return reply.redirect(await deps.storage.presignGet(object.key, options), 302);
  }
  const fetched = await deps.storage
    .get(object.key, { signal: makeDisconnectSignal(reply), ...(range ? { range } : { sha256: object.sha256 ?? '' }) })
    .catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? new AppError(whenGone, { cause: error }) : error;
    });
  reply.status(range ? 206 : 200).headers({
    'content-type': mimeType,
    'content-length': fetched.lengthBytes,
    'content-disposition': formatDisposition(filename, disposition),
    ...(isRead && { 'accept-ranges': 'bytes' }),
    'content-security-policy': "default-src 'none'; sandbox",
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  });
  // Sends an object in memory directly, because streaming it would take more time than the bytes themselves.
  if (fetched.bytes) return reply.send(fetched.bytes);
  return sendInTurns(reply, fetched.stream, { turns: deps.downloadTurns, accountId });
}

type Files = Pick<Storage, 'get'>;
/** `bytes`: the content of the stream, if it's in memory. */
type FetchedFile = Awaited<ReturnType<Files['get']>> & { bytes?: Buffer };
type RememberedFiles = { get: (...wanted: Parameters<Files['get']>) => Promise<FetchedFile> };

type MemoryLimits = { totalBytes: number; objectBytes: number };

/**
 * Wraps storage with an in-memory LRU cache for small objects. Use it only for objects that are known to exist in
 * storage: an object's bytes never change, but a deleted object may still be cached.
 */
export function rememberObjects(storage: Files, limits: MemoryLimits): RememberedFiles {
  const memory = new LRUCache<string, Buffer>({
    maxSize: limits.totalBytes,
    // An empty object takes no memory, but the cache requires positive sizes.
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  });
  return {
    get: async (key, options = {}) => {
      const known = memory.get(key);
      if (known) return fileFromBytes(known, options.range);
      const fetched = await storage.get(key, options);
      if (options.range || fetched.sizeBytes > limits.objectBytes) return fetched;
      const bytes = await buffer(fetched.stream);
      memory.set(key, bytes);
      return fileFromBytes(bytes, undefined);
    },
  };
}

function fileFromBytes(bytes: Buffer, range: { start: number; end?: number } | undefined): FetchedFile {
  const part = range ? bytes.subarray(range.start, (range.end ?? bytes.length - 1) + 1) : bytes;
  return { stream: Readable.from([part]), bytes: part, sizeBytes: bytes.length, lengthBytes: part.length };
}

/** Returns the result of a job as a file to send. Throws `job_not_finished` or `result_expired`. */
export function toResultFile({ job, result }: JobWithFiles): FileResponse {
  if (job.status === 'queued' || job.status === 'processing') throw new AppError('job_not_finished');
  if (!result) throw new AppError('result_expired');
  const mimeType = mimeTypes[resultFormatOf(job)];
  return { object: result, accountId: job.accountId, mimeType, filename: resultName(job), disposition: 'attachment' };
}

/**
 * Download chunks that a gateway sends per iteration of its event loop. Without this limit, one iteration could fill
 * the buffers of hundreds of connections. Every other request would then be delayed several times, because it takes
 * several iterations.
 */
const chunksPerIteration = 2;
const halfLifeMs = 10_000;

/** Opens the queue for a gateway's downloads. The next turn goes to the account that recently used the least time. */
export const openDownloadTurns = (): FairQueue => makeFairQueue({ slots: chunksPerIteration, halfLifeMs });

type TurnOptions = { turns: FairQueue; accountId: string | null };

/** For HEAD requests, sends only the headers, without reading the file. */
function sendInTurns(reply: FastifyReply, stream: Readable, options: TurnOptions): FastifyReply {
  if (reply.request.method !== 'HEAD') return reply.send(passInTurns(stream, options));
  stream.destroy();
  return reply.send(Readable.from([]));
}

/**
 * Passes a download on in chunks, each in the account's turn. Holds each chunk until the next one is read: an error at
 * the end then truncates the response.
 */
export function passInTurns(stream: Readable, options: TurnOptions): Readable {
  const passed = Readable.from(passChunks(stream, options), { objectMode: false });
  // Closes the source explicitly, because a generator that has never started doesn't close it.
  return passed.once('close', () => stream.destroy());
}

/** Waits for a turn, which lasts until the next iteration of the event loop. */
export async function takeTurn({ turns, accountId }: TurnOptions): Promise<void> {
  setImmediate(await turns.enter(accountId ?? 'visitors'));
}

async function* passChunks(stream: Readable, options: TurnOptions): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const chunk of stream) {
    await takeTurn(options);
    if (held) yield held;
    held = chunk;
  }
  if (held) yield held;
}
