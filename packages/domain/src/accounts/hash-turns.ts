import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { makeFairQueue, QueueFullError } from '../make-fair-queue.ts';
import { networkOf } from '../network-of.ts';
import { reportLimit } from '../report-limit.ts';

const halfLifeMs = 60_000;
const networkTurn = 'network:';
/** Pause before another try when too many passwords wait. */
const retryAfterS = 5;

/** Whose turn it is to have a password hashed. Callers with the same text share their turns. */
export type HashTurn = string & { readonly __brand: 'HashTurn' };

/** The turn of a user who is signed in, or has a known device or a link of the account. */
export const accountTurn = (userId: string) => `account:${userId}` as HashTurn;
/** The turn of a visitor: anyone can name any account, so all visitors of one network share it. */
export const visitorTurn = (address: string | undefined) => `${networkTurn}${networkOf(address ?? '')}` as HashTurn;
/** The turn of the service itself. */
export const serviceTurn = 'service' as HashTurn;

const queue = makeFairQueue({
  slots: 1,
  // Anyone has networks. They have the slot like others, but give way to accounts when too many passwords wait.
  group: { includes: (key) => key.startsWith(networkTurn), slots: 1, slotsEach: 1 },
  halfLifeMs,
  maxWaiting: limits.waitingPasswords,
  onWait: () => reportLimit('password_turns'),
});

/**
 * Runs one hash after another, next the one of the caller whose hashes recently took the least time. Throws
 * `service_unavailable` when too many wait.
 */
export const takeHashTurn = <T>(turn: HashTurn, hash: () => Promise<T>): Promise<T> =>
  queue.run(turn, hash).catch((error: unknown) => {
    if (!(error instanceof QueueFullError)) throw error;
    throw new AppError('service_unavailable', { meta: { retryAfterS }, limitName: 'waiting_passwords', cause: error });
  });
