import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { holderOf } from '../request-callers.ts';

type Turns = Pick<Deps, 'bodies'>;

/** The chunks of a body, or of a file in one, each when it is the turn of its caller. */
export async function* takeTurns(
  { bodies: { turns } }: Turns,
  request: FastifyRequest,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const { account } = holderOf(request);
  for await (const chunk of chunks) {
    // A turn lasts until the next iteration of the event loop.
    setImmediate(await turns.enter(account));
    yield chunk;
  }
}

/** The same as a stream. Whoever opens it destroys it, which leaves the source open. */
export function openTurns(deps: Turns, request: FastifyRequest, source: Readable): Readable {
  const chunks = takeTurns(deps, request, source.iterator({ destroyOnReturn: false }));
  // Nobody reads it after an upload was aborted, which may then fail.
  return Readable.from(chunks, { objectMode: false }).on('error', () => undefined);
}
