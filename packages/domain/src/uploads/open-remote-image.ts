import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type InputFormat, mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { fetchGuarded } from '@uprez/guarded-fetch/fetch-guarded';
import { describeUnsupported } from '@uprez/imaging/sniff/describe-unsupported';
import { sniffedBytes, sniffFormat } from '@uprez/imaging/sniff/sniff-format';
import type { Needs } from '../context.ts';
import type { FetchInput } from './begin-upload.ts';

/**
 * A remote image. Its stream fails with an AppError if the file is too large or too slow. Destroy the stream if it
 * isn't read.
 */
export type RemoteImage = { stream: Readable; mimeType: string; url: string; disposition: string | undefined };

/**
 * Opens the image at a URL without storing it. Only returns files with the signature of a supported format. Otherwise,
 * the service could be used to read other files. Throws `url_not_allowed`, `url_unreachable`, `file_too_large`,
 * `empty_file`, `unsupported_format`, or the signal's reason.
 */
export async function openRemoteImage(
  ctx: Needs<'network'>,
  { url: wanted, maxBytes, signal }: FetchInput & { maxBytes: number },
): Promise<RemoteImage> {
  const network = ctx.network && { network: ctx.network };
  const options = { maxBytes, timeoutMs: limits.fetchSeconds * 1_000, signal, ...network };
  const { stream: source, url, disposition } = await fetchGuarded(wanted, options);
  try {
    const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const head = await readHead(chunks);
    const mimeType = mimeTypes[requireFormat(head)];
    const stream = Readable.from(prependHead(head, chunks), { objectMode: false });
    stream.once('close', () => source.destroy());
    return { stream, mimeType, url, disposition };
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/** Reads at least the first `sniffedBytes` bytes of a file, or the whole file if it is shorter. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < sniffedBytes) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

function requireFormat(head: Buffer): InputFormat {
  if (head.length === 0) throw new AppError('empty_file');
  const known = sniffFormat(head);
  if (!known) throw new AppError('unsupported_format');
  if (!known.readable) throw new AppError('unsupported_format', { detail: describeUnsupported(known.name) });
  return known.readable;
}

async function* prependHead(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => chunks };
}
