import { Worker } from 'node:worker_threads';
import { limits } from '@uprez/contracts/policy/limits';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { HashTask } from '../src/accounts/hash-thread.ts';
import { accountTurn, visitorTurn } from '../src/accounts/password-hash.ts';

const turn = visitorTurn('192.0.2.1');

const heldHash = 'a hash';

/** Holds hashes until `finish`, which ends the one that is next and returns its password. */
async function holdHashes() {
  vi.resetModules();
  const posted: { worker: Worker; task: HashTask }[] = [];
  const { postMessage } = Worker.prototype;
  const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, task: HashTask) {
    if (task.compared === heldHash) posted.push({ worker: this, task });
    // Other threads of this process go on.
    else postMessage.call(this, task);
  });
  onTestFinished(() => post.mockRestore());
  const { verifyPassword } = await import('../src/accounts/password-hash.ts');
  return {
    verify: (by: typeof turn, password: string) => verifyPassword({ passwordHash: heldHash, password, turn: by }),
    finish: async () => {
      const next = await vi.waitUntil(() => posted.shift(), { interval: 1, timeout: 45_000 });
      next.worker.emit('message', { id: next.task.id, result: true });
      return next.task.password;
    },
  };
}

it('compares passwords of unknown accounts again after the hashing thread failed', async () => {
  vi.resetModules();
  const { hashPassword, verifyPassword } = await import('../src/accounts/password-hash.ts');
  const unknown = { passwordHash: undefined, password: 'a password', turn };
  const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
    this.emit('error', new Error('out of memory'));
  });
  try {
    await expect(verifyPassword(unknown)).rejects.toThrow('out of memory');
  } finally {
    post.mockRestore();
  }
  expect(await verifyPassword(unknown)).toBe(false);
  expect(await verifyPassword({ ...unknown, passwordHash: await hashPassword('a password', turn) })).toBe(true);
});

it('hashes the password of another user next while an account and a network send many', async () => {
  const { verify, finish } = await holdHashes();
  const flood = [1, 2, 3].flatMap((at) => [
    verify(accountTurn('one'), `account ${at}`),
    verify(visitorTurn(`192.0.2.${at}`), `network ${at}`),
  ]);
  const order = [await finish(), await finish()];
  const other = verify(visitorTurn('198.51.100.1'), 'other');
  while (order.length < 7) order.push(await finish());
  await Promise.all([...flood, other]);
  // One hash of the flood had started.
  expect(order.indexOf('other')).toBe(3);
});

it('rejects passwords of the account that sends the most when too many wait', async () => {
  const { verify, finish } = await holdHashes();
  const count = limits.waitingPasswords + 2;
  const results = Promise.allSettled(Array.from({ length: count }, () => verify(accountTurn('one'), 'one')));
  const other = verify(visitorTurn('198.51.100.1'), 'other');
  // One runs, and one gives its place to the other user.
  for (let at = 0; at <= limits.waitingPasswords; at += 1) await finish();
  const rejected = (await results).filter(({ status }) => status === 'rejected');
  const busy = { code: 'service_unavailable', limitName: 'waiting_passwords', meta: { retryAfterS: 5 } };
  expect(rejected).toEqual([1, 2].map(() => ({ status: 'rejected', reason: expect.objectContaining(busy) })));
  expect(await other).toBe(true);
});
