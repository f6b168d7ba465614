import { randomUUID } from 'node:crypto';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import { openSocket } from '../../support/http/open-socket.ts';
import type { Attack, Target } from '../support/attack.ts';
import { addressOf, call, callJson, repeatFor } from '../support/calls.ts';

const from = addressOf(12, 0);
const moreSignIns = 30;
const moreReads = 400;
const senders = 8;

/** Sends requests that are reset at once until the signal aborts. */
async function resetUntil(url: string, done: AbortSignal): Promise<number> {
  let resets = 0;
  while (!done.aborted)
    await repeatFor({ seconds: 8.1, senders }, async () => {
      const { socket } = await openSocket(url, { from });
      socket.write('GET /api/plans HTTP/1.1\r\nHost: a\r\n\r\n');
      socket.resetAndDestroy();
      resets += 1;
    });
  return resets;
}

/** Sends `count` requests with several senders. Returns how many were refused with 429. */
async function countRefused(total: number, send: () => Promise<{ status: number }>): Promise<number> {
  let [left, refused] = [total, 0];
  const sendAll = async () => {
    while (left-- > 0) if ((await send()).status === 429) refused += 1;
  };
  await Promise.all(Array.from({ length: senders }, sendAll));
  return refused;
}

/** More sign-ins and reads than are allowed, among requests that are reset before they are handled. */
async function evade({ url }: Target) {
  const done = new AbortController();
  const resetting = resetUntil(url, done.signal);
  // Guesses of one account's password have a limit of their own.
  const signIns = await countRefused(rateLimits.auth.calls + moreSignIns, () => {
    const body = { email: `${randomUUID()}@example.test`, password: 'wrong password' };
    return callJson({ url, path: '/api/login', body, from });
  });
  const reads = await countRefused(rateLimits.reads.calls + moreReads, () => call({ url, path: '/api/plans', from }));
  done.abort();
  return { resets: await resetting, signIns, reads };
}

export const limitResets: Attack = {
  name: 'limit-resets',
  seconds: 8,
  run: evade,
  check: ({ facts }) => ({
    'requests were reset': (facts.resets ?? 0) > senders,
    // Resets that are counted leave less for the other requests.
    'sign-ins above the limit are refused': (facts.signIns ?? 0) >= moreSignIns,
    'reads above the limit are refused': (facts.reads ?? 0) >= moreReads,
  }),
};
