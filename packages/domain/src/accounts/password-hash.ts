import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Needs } from '../context.ts';
import { makeFairQueue, QueueFullError } from '../make-fair-queue.ts';
import { networkOf } from '../network-of.ts';
import { reportLimit } from '../report-limit.ts';
import { hashCost } from './hash-cost.ts';
import type { HashTask, HashTaskResult } from './hash-thread.ts';

/** Path of the built file. Not the source file, because worker threads have no TypeScript loader. */
const threadFile = createRequire(import.meta.url).resolve('@uprez/domain/accounts/hash-thread');

type PendingHash = { resolve: (result: string | boolean) => void; reject: (error: Error) => void };
type Hasher = { worker: Worker; waiting: Map<number, PendingHash> };
let hasher: Hasher | undefined;
let nextId = 0;

/**
 * Starts the hashing thread. Each process has only one, because each hash occupies a core. An idle thread doesn't keep
 * the process alive.
 */
function openHasher(): Hasher {
  const opened: Hasher = { worker: new Worker(threadFile, { workerData: hashCost }), waiting: new Map() };
  const { worker, waiting } = opened;
  worker.on('message', ({ id, result, error }: HashTaskResult) => {
    const task = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (result === undefined) task?.reject(new Error(error));
    else task?.resolve(result);
  });
  const fail = (error: Error) => {
    hasher = undefined;
    for (const { reject } of waiting.values()) reject(error);
  };
  worker.once('error', fail);
  worker.once('exit', () => fail(new Error('the hashing thread ended')));
  return opened;
}

function runHashTask(task: Omit<HashTask, 'id'>): Promise<string | boolean> {
  hasher ??= openHasher();
  const { worker, waiting } = hasher;
  const id = nextId++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.ref();
    worker.postMessage({ id, ...task } satisfies HashTask);
  });
}

/**
 * Hashes a password with argon2id in PHC format, on a low-priority thread. Throws `service_unavailable` if too many
 * passwords are waiting.
 */
export const hashPassword = (password: string, turn: HashTurn): Promise<string> =>
  takeHashTurn(turn, () => computeHash(password));

const computeHash = async (password: string) => String(await runHashTask({ password: password.normalize('NFC') }));

let decoyHash: Promise<string> | undefined;

/**
 * Returns a hash that passwords for unknown accounts are compared with. Creates it once, and retries after an error.
 */
function getDecoyHash(): Promise<string> {
  decoyHash ??= computeHash('no account has this password').catch((error: unknown) => {
    decoyHash = undefined;
    throw error;
  });
  return decoyHash;
}

export type PasswordComparison = { passwordHash: string | undefined; password: string; turn: HashTurn };

/**
 * Compares a password with a hash. Takes the same time even if the hash is undefined, because timing must not reveal
 * which accounts exist. Throws `service_unavailable` if too many passwords are waiting.
 */
export async function verifyPassword({ passwordHash, password, turn }: PasswordComparison): Promise<boolean> {
  const compared = passwordHash ?? (await getDecoyHash());
  const matches = await takeHashTurn(turn, () => runHashTask({ password: password.normalize('NFC'), compared }));
  return matches === true && passwordHash !== undefined;
}

let commonPasswords: Set<string> | undefined;

function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(dictionary['passwords-common'].map((word) => word.toLowerCase()));
  return commonPasswords.has(password.normalize('NFC').toLowerCase());
}

export type PasswordOwner = { email: string; username?: string | undefined };

const isObviousPassword = (password: string, { email, username }: Partial<PasswordOwner>): boolean =>
  /^(.)\1*$/su.test(password) || [email, username].some((name) => name?.toLowerCase() === password.toLowerCase());

/** Checks a new password. Throws `password_too_short` (length in code points) or `password_too_common`. */
export async function checkNewPassword(
  ctx: Needs<'settings'>,
  {
    password,
    param = 'password',
    owner = {},
  }: { password: string; param?: 'password' | 'newPassword'; owner?: Partial<PasswordOwner> },
): Promise<void> {
  const { minPasswordLength } = await ctx.settings.read('security');
  const normal = password.normalize('NFC');
  const wanted = Math.max(minPasswordLength, limits.passwordLength);
  if ([...normal].length < wanted)
    throw new AppError('password_too_short', {
      param,
      detail: `Password must be at least ${wanted} characters long`,
    });
  if (isCommonPassword(password) || isObviousPassword(normal, owner))
    throw new AppError('password_too_common', { param });
}

const halfLifeMs = 60_000;
const networkTurnPrefix = 'network:';
const retryAfterS = 5;

/** Key that identifies a caller in the queue for password hashing. Callers with the same key share their turns. */
export type HashTurn = string & { readonly __brand: 'HashTurn' };

/** Turn for a user who is signed in, has a known device, or has a link for the account. */
export const accountTurn = (userId: string) => `account:${userId}` as HashTurn;
/**
 * Turn for a visitor. Visitors from the same network share a turn, because a visitor can enter the login of any
 * account.
 */
export const visitorTurn = (address: string | undefined) =>
  `${networkTurnPrefix}${networkOf(address ?? '')}` as HashTurn;
export const serviceTurn = 'service' as HashTurn;

const queue = makeFairQueue({
  slots: 1,
  // Visitors can use any number of networks. They share the slot like accounts, but of equally long queues, their tasks
  // are rejected first.
  group: { includes: (key) => key.startsWith(networkTurnPrefix), slots: 1, slotsEach: 1 },
  halfLifeMs,
  maxWaiting: limits.waitingPasswords,
  onWait: () => reportLimit('password_turns'),
});

/**
 * Runs hashes one at a time. Prefers the caller that has used the least hashing time recently. Throws
 * `service_unavailable` if too many hashes are waiting.
 */
export const takeHashTurn = <T>(turn: HashTurn, hash: () => Promise<T>): Promise<T> =>
  queue.run(turn, hash).catch((error: unknown) => {
    if (!(error instanceof QueueFullError)) throw error;
    throw new AppError('service_unavailable', { meta: { retryAfterS }, limitName: 'waiting_passwords', cause: error });
  });
