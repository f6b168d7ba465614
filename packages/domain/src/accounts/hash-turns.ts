import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { makeFairQueue, QueueFullError } from '../make-fair-queue.ts';
import { networkOf } from '../network-of.ts';
import { reportLimit } from '../report-limit.ts';

const halfLifeMs = 60_000;
const networkTurn = 'network:';
/** Seconds to wait before retrying when too many passwords are queued. */
const retryAfterS = 5;

/** Caller key in the queue for password hashing. Callers with the same key share their turns. */
export type HashTurn = string & { readonly __brand: 'HashTurn' };

/** Turn of a user who is signed in, or who has a known device or a link for the account. */
export const accountTurn = (userId: string) => `account:${userId}` as HashTurn;
/** Turn of a visitor. Anyone can name any account, so all visitors from one network share a turn. */
export const visitorTurn = (address: string | undefined) => `${networkTurn}${networkOf(address ?? '')}` as HashTurn;
/** The turn of the service itself. */
export const serviceTurn = 'service' as HashTurn;

const queue = makeFairQueue({
  slots: 1,
  // Visitors can use any number of networks. They share the slot like accounts, but of equally long queues, their tasks
  // are rejected first.
  group: { includes: (key) => key.startsWith(networkTurn), slots: 1, slotsEach: 1 },
  halfLifeMs,
  maxWaiting: limits.waitingPasswords,
  onWait: () => reportLimit('password_turns'),
});

/**
 * Runs hashes one at a time, preferring the caller whose recent hashes took the least time. Throws
 * `service_unavailable` if too many are waiting.
 */
export const takeHashTurn = <T>(turn: HashTurn, hash: () => Promise<T>): Promise<T> =>
  queue.run(turn, hash).catch((error: unknown) => {
    if (!(error instanceof QueueFullError)) throw error;
    throw new AppError('service_unavailable', { meta: { retryAfterS }, limitName: 'waiting_passwords', cause: error });
  });
