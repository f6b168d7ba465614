import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { type FairQueue, makeFairQueue, QueueFullError } from '@uprez/domain/make-fair-queue';
import { reportLimit } from '@uprez/domain/report-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { throwDisconnected } from './connections.ts';
import { routeOf } from './contract.ts';
import { currentCaller } from './request-callers.ts';

/** Up to 100 rows, which take the event loop several milliseconds each. */
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
/** Retry delay when too many reads are waiting, in seconds. */
const retryAfterS = 2;

/**
 * Opens the queue for a gateway's costly reads. The next read is from the account that recently used the least time. A
 * turn includes the wait for a database connection. The queue therefore has more slots than the event loop needs,
 * because a waiting account still holds one.
 */
export const openReadTurns = (): FairQueue =>
  makeFairQueue({
    slots: limits.readSlots,
    slotsEach: 1,
    halfLifeMs,
    maxWaiting: limits.waitingReads,
    onWait: () => reportLimit('read_turns'),
  });

/** Throws `service_unavailable` when too many reads wait. */
const enterReadQueue = (turns: FairQueue, caller: string): Promise<() => void> =>
  turns.enter(caller).catch((error: unknown) => {
    if (!(error instanceof QueueFullError)) throw error;
    throw new AppError('service_unavailable', { meta: { retryAfterS }, limitName: 'waiting_reads', cause: error });
  });

/**
 * Makes costly reads wait for their account's turn, because an account that sends many of them concurrently would delay
 * everyone's requests. A turn begins before the database is read, and ends with the event loop iteration that creates
 * the response. A slow client therefore doesn't keep its turn.
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
    leaves.set(request, await enterReadQueue(turns, currentCaller()));
    // Ends the turn if the client disconnects, because the response may never be created.
    reply.raw.once('close', () => leave(request));
    if (!reply.raw.closed) return;
    leave(request);
    throwDisconnected();
  });
  app.addHook('onSend', async (request) => leave(request));
}
