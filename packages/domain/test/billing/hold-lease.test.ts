import { claimCall, findLatestCall, renewCall } from '@uprez/db/queries/billing/billing-calls';
import { type CallKind, leaseS } from '@uprez/domain/billing/calls/call-kind';
import { holdLease, openCall } from '@uprez/domain/billing/calls/run-call';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { expect, it, onTestFinished, vi } from 'vitest';

const world = fileFixture(openTestDatabase);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const kind: CallKind<object> = { name: 'test', slot: 'change', expiresS: 60, steps: [] };

async function makeCall() {
  const { accountId } = await makeUser(world.db);
  const call = await openCall(world, kind, { accountId, request: {} });
  if (!call) throw new Error('The call was not stored.');
  const isLeased = async () => (await findLatestCall(world.db, { accountId, slot: 'change' }))?.isLeased;
  const expire = () =>
    world.db
      .updateTable('billingCalls')
      .set({ leaseUntil: new Date(0) })
      .where('id', '=', call.id)
      .execute();
  return { call, isLeased, expire };
}

it('renews the lease of a call while its step waits, and not afterward', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { call, isLeased, expire } = await makeCall();
  await expire();
  expect(await isLeased()).toBe(false);
  const result = await holdLease({ db: world.db, log }, call, async () => {
    vi.advanceTimersByTime((leaseS * 1_000) / 4);
    await expect.poll(isLeased).toBe(true);
    return 'done';
  });
  expect(result).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('does not renew the lease of a call that another process claimed', async () => {
  const { call, isLeased, expire } = await makeCall();
  await expire();
  expect(await claimCall(world.db, call.id, leaseS)).toBeDefined();
  await expire();
  await renewCall(world.db, call, leaseS);
  expect(await isLeased()).toBe(false);
});
