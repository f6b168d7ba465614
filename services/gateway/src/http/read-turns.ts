import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { type FairQueue, makeFairQueue, QueueFullError } from '@uprez/domain/make-fair-queue';
import { reportLimit } from '@uprez/domain/report-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routeOf } from './contract.ts';
import { rejectClosed } from './disconnects.ts';
import { currentCaller } from './request-callers.ts';

/** Reads of up to 100 rows, which take the event loop several milliseconds each. */
const costlyReads: ReadonlySet<RouteName> = new Set([
  'getBatch',
  'v1GetBatch',
  'v1ListBatches',
  'listJobs',
  'v1ListJobs',
  'listEvents',
  'v1ListEvents',
  'batchZip',
  'v1BatchZip',
  'batchManifest',
  'v1BatchManifest',
  'batchManifestCsv',
  'v1BatchManifestCsv',
]);

const halfLifeMs = 10_000;
/** Pause before another try when too many reads wait. */
const retryAfterS = 2;

/**
 * Opens the queue of the costly reads of a gateway: the next one is of the account that recently used the least time. A turn
 * includes the wait for connections to the database, so there are more turns than the event loop needs: an account that waits long
 * for connections holds one of them.
 */
export const openReadTurns = (): FairQueue =>
  makeFairQueue({
    slots: limits.readSlots,
    slotsEach: 1,
    halfLifeMs,
    maxWaiting: limits.waitingReads,
    onWait: () => reportLimit('read_turns'),
  });

/** Waits for the turn of an account. Throws `service_unavailable` when too many reads wait. */
const enter = (turns: FairQueue, caller: string): Promise<() => void> =>
  turns.enter(caller).catch((error: unknown) => {
    if (!(error instanceof QueueFullError)) throw error;
    throw new AppError('service_unavailable', { meta: { retryAfterS }, limitName: 'waiting_reads', cause: error });
  });

/**
 * Has costly reads wait for the turn of their account, because one that sends many at once would delay everyone's requests.
 * A turn begins before the rows are read, and ends with the iteration of the event loop in which the response is made: slow
 * clients don't keep theirs.
 */
export function registerReadTurns(app: FastifyInstance, turns: FairQueue): void {
  const leaves = new WeakMap<FastifyRequest, () => void>();
  const leave = (request: FastifyRequest) => {
    const found = leaves.get(request);
    if (found) setImmediate(found);
    leaves.delete(request);
  };
  app.addHook('preHandler', async (request, reply) => {
    const name = routeOf(request)?.name;
    if (!name || !costlyReads.has(name)) return;
    leaves.set(request, await enter(turns, currentCaller()));
    // The response of a client that disconnects may not be made.
    reply.raw.once('close', () => leave(request));
    if (!reply.raw.closed) return;
    leave(request);
    rejectClosed();
  });
  app.addHook('onSend', async (request) => leave(request));
}
