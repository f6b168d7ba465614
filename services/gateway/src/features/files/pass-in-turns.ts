import { Readable } from 'node:stream';
import { type FairQueue, makeFairQueue } from '@uprez/domain/make-fair-queue';
import type { FastifyReply } from 'fastify';

/**
 * Download chunks that a gateway sends per iteration of its event loop. Without a limit, one iteration could fill the
 * buffers of hundreds of connections, and every other request would wait for this several times, because each request
 * takes several iterations.
 */
const chunksPerIteration = 2;
const halfLifeMs = 10_000;

/** Opens the queue of a gateway's downloads. The next chunk goes to the account that recently got the fewest. */
export const openDownloadTurns = (): FairQueue => makeFairQueue({ slots: chunksPerIteration, halfLifeMs });

type Options = { turns: FairQueue; accountId: string | null };

/** Sends a download. For HEAD requests, sends only the headers, without reading the file. */
export function sendInTurns(reply: FastifyReply, stream: Readable, options: Options): FastifyReply {
  if (reply.request.method !== 'HEAD') return reply.send(passInTurns(stream, options));
  stream.destroy();
  return reply.send(Readable.from([]));
}

/**
 * Passes on a download chunk by chunk, each in the account's turn. Holds each chunk until the next one is read, so that
 * an error at the end truncates the response.
 */
export function passInTurns(stream: Readable, options: Options): Readable {
  const passed = Readable.from(passChunks(stream, options), { objectMode: false });
  // A generator that never started doesn't close its source.
  return passed.once('close', () => stream.destroy());
}

/** Waits for a turn, which lasts until the next iteration of the event loop. */
export async function takeTurn({ turns, accountId }: Options): Promise<void> {
  setImmediate(await turns.enter(accountId ?? 'visitors'));
}

async function* passChunks(stream: Readable, options: Options): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const chunk of stream) {
    await takeTurn(options);
    if (held) yield held;
    held = chunk;
  }
  if (held) yield held;
}
