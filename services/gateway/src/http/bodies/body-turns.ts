import { Readable } from 'node:stream';
import { readChunks } from '@uprez/storage/read-chunks';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { holderOf } from '../request-callers.ts';

type Turns = Pick<Deps, 'bodies'>;

/** The stream of a body, or of a file in one, which ends with the signal's reason, or with `file_too_large` after `maxBytes`. */
type Received = { request: FastifyRequest; source: Readable; signal: AbortSignal; maxBytes?: number | undefined };

/** The chunks of a body, or of a file in one, each when it is the turn of its caller. */
export async function* takeTurns(
  { bodies: { turns } }: Turns,
  { request, source, ...options }: Received,
): AsyncGenerator<Buffer> {
  const { account } = holderOf(request);
  for await (const chunk of readChunks(source, options)) {
    // A turn lasts until the next iteration of the event loop.
    setImmediate(await turns.enter(account));
    yield chunk;
  }
}

/** The same as a stream. Whoever opens it destroys it, which leaves the source open. */
export function openTurns(deps: Turns, received: Received): Readable {
  // Nobody reads it after an upload was aborted, which may then fail.
  return Readable.from(takeTurns(deps, received), { objectMode: false }).on('error', () => undefined);
}
