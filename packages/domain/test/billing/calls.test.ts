import { EventEmitter, once } from 'node:events';
import type { CallKind } from '@uprez/domain/billing/calls/call-kind';
import { collectFinishers, finishNextCall, makeFinisher } from '@uprez/domain/billing/calls/finish-next-call';
import { executeCall, openCall } from '@uprez/domain/billing/calls/run-call';
import { createCustomer, listCustomersByEmail } from '@uprez/payments/customers';
import { openPayments, type Payments } from '@uprez/payments/open-payments';
import { PaymentError } from '@uprez/payments/payment-error';
import { createSetupIntent } from '@uprez/payments/payment-methods';
import { openBillingWorld } from '@uprez/testing/billing/open-billing-world';
import { skipRetryDelay } from '@uprez/testing/billing/skip-retry-delay';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

const world = fileFixture(openBillingWorld);
const ctx = (payments: Payments = world.payments) => ({ db: world.db, log: world.log, payments });
const recover = () => fetch(`${world.stripe.double.url}/_control/failures`, { method: 'DELETE' });
afterEach(recover);

type Saving = { email: string };
const originOf = (call: { id: string; accountId: string }) => ({ accountId: call.accountId, callId: call.id });

/** Saves a card of a new customer: two requests, the second with the ID that the first returned. */
const saving: CallKind<Saving> = {
  name: 'saving',
  slot: 'change',
  expiresS: 900,
  steps: [
    {
      name: 'customer',
      send: async ({ payments }, call, idempotencyKey) => {
        const input = { ...originOf(call), idempotencyKey, email: call.request.email };
        return { customerId: (await createCustomer(payments, input)).id };
      },
      find: async ({ payments }, call) => {
        const { items } = await listCustomersByEmail(payments, { email: call.request.email });
        const found = items.find(({ callId }) => callId === call.id);
        return found && { customerId: found.id };
      },
    },
    {
      name: 'intent',
      send: async ({ payments }, call, idempotencyKey) => {
        const { customerId = 'cus_none' } = call.stripeIds;
        return { intentId: (await createSetupIntent(payments, { ...originOf(call), idempotencyKey, customerId })).id };
      },
      find: async () => undefined,
    },
  ],
};
const finishers = collectFinishers([['saving', makeFinisher(saving)]]);

/** The same, but the reply to the first request is lost. */
const losing: CallKind<Saving> = {
  ...saving,
  steps: saving.steps.map((step) => ({
    ...step,
    send: async (...args) => {
      await step.send(...args);
      throw new PaymentError('unreachable');
    },
  })),
};

async function makeOpening() {
  const { accountId } = await makeUser(world.db);
  return { accountId, request: { email: `${accountId}@example.test` } };
}
type Opening = Awaited<ReturnType<typeof makeOpening>>;
const readCalls = ({ accountId }: Opening) =>
  world.db.selectFrom('billingCalls').selectAll().where('accountId', '=', accountId).execute();
const countCustomers = async ({ request }: Opening) =>
  (await listCustomersByEmail(world.payments, request)).items.length;
const makeDue = () =>
  world.db
    .updateTable('billingCalls')
    .set({ notBefore: new Date(0), leaseUntil: null })
    .execute();
async function finishAll() {
  await recover();
  await makeDue();
  while (await finishNextCall(ctx(), finishers));
}
const fail = (failure: object) =>
  fetch(`${world.stripe.double.url}/_control/failures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'POST', path: '/v1/customers', ...failure }),
  });
const code = (expected: string) => expect.objectContaining({ code: expected });

it('stores a call before its first request, its steps, and its end', async () => {
  const opening = await makeOpening();
  const seen: unknown[] = [];
  const watching = {
    ...saving,
    steps: saving.steps.map((step) => ({
      ...step,
      send: async (...args: Parameters<typeof step.send>) => {
        const [row] = await readCalls(opening);
        seen.push([row?.state, row?.step, Object.keys(row?.stripeIds ?? {})]);
        return await step.send(...args);
      },
    })),
  };
  const { stripeIds } = await executeCall(ctx(), watching, opening);
  expect(seen).toEqual([
    ['open', null, []],
    ['open', 'customer', ['customerId']],
  ]);
  const rows = await readCalls(opening);
  expect(rows).toMatchObject([{ state: 'done', step: 'intent', stripeIds, leaseUntil: null }]);
  expect(rows[0]?.request).toEqual({});
});

it('continues a call that was open when its process stopped', async () => {
  const opening = await makeOpening();
  await openCall(ctx(), saving, opening);
  expect(await finishNextCall(ctx(), finishers)).toBe(false);
  await finishAll();
  expect(await readCalls(opening)).toMatchObject([{ state: 'done', step: 'intent' }]);
  expect(await countCustomers(opening)).toBe(1);
});

it('rejects calls in the same slot with billing_busy while one runs', async () => {
  const opening = await makeOpening();
  const other = { ...opening, request: { email: `other-${opening.request.email}` } };
  const signals = new EventEmitter();
  const [started, released] = [once(signals, 'started'), once(signals, 'released')];
  const slow: CallKind<Saving> = {
    ...saving,
    steps: saving.steps.map((step) => ({
      ...step,
      send: async (...args) => {
        signals.emit('started');
        await released;
        return await step.send(...args);
      },
    })),
  };
  const first = executeCall(ctx(), slow, opening);
  await started;
  for (const one of [opening, other])
    await expect(executeCall(ctx(), saving, one)).rejects.toEqual(code('billing_busy'));
  signals.emit('released');
  await first;
  expect(await readCalls(opening)).toMatchObject([{ state: 'done' }]);
  expect(await countCustomers(opening)).toBe(1);
});

it('rejects two kinds with the same name', () => {
  const kinds = ['saving', 'other', 'saving'].map((kind) => [kind, makeFinisher(saving)] as const);
  expect(() => collectFinishers(kinds)).toThrow('Two kinds of calls are named saving.');
});

describe('after an error of Stripe', () => {
  it.each([
    ['500 before the effect', { when: 'before', kind: 'error' }],
    ['500 after the effect', { when: 'after', kind: 'error' }],
    ['a closed connection before the effect', { when: 'before', kind: 'reset', times: 9 }],
    ['a closed connection after the effect', { when: 'after', kind: 'reset', times: 9 }],
    ['no reply before the effect', { when: 'before', kind: 'hang', times: 9 }],
    ['no reply after the effect', { when: 'after', kind: 'hang', times: 9 }],
    ['429', { when: 'before', kind: 'rate_limit', times: 9 }],
  ])('%s: the dispatcher completes the call, and there is one customer', async (_case, failure) => {
    const opening = await makeOpening();
    await fail(failure);
    const impatient = skipRetryDelay(
      openPayments({
        ...{ mode: 'test', secretKey: 'sk_test_local', publishableKey: 'pk_test_local', webhookSecrets: [] },
        ...{ apiUrl: world.stripe.double.url, timeoutMs: 300 },
      }),
    );
    onTestFinished(impatient.close);
    await executeCall(ctx(impatient), saving, opening).catch((error: unknown) =>
      expect(error).toEqual(code('billing_unavailable')),
    );
    await finishAll();
    expect(await readCalls(opening)).toMatchObject([{ state: 'done', step: 'intent' }]);
    expect(await countCustomers(opening)).toBe(1);
  });

  it('the same request of the account continues the call', async () => {
    const opening = await makeOpening();
    await expect(executeCall(ctx(), losing, opening)).rejects.toEqual(code('billing_unavailable'));
    await executeCall(ctx(), saving, opening);
    expect(await readCalls(opening)).toMatchObject([{ state: 'done', failures: 0 }]);
    expect(await countCustomers(opening)).toBe(1);
  });

  it('a rejected request ends the call', async () => {
    const opening = await makeOpening();
    const broken = { ...saving, steps: saving.steps.slice(1) };
    await expect(executeCall(ctx(), broken, opening)).rejects.toEqual(code('internal'));
    expect(await readCalls(opening)).toMatchObject([{ state: 'failed', step: null }]);
  });
});

describe('an expired call', () => {
  const expire = ({ accountId }: Opening) =>
    world.db.updateTable('billingCalls').set({ expiresAt: new Date() }).where('accountId', '=', accountId).execute();

  it('sends no new request', async () => {
    const opening = await makeOpening();
    await openCall(ctx(), saving, opening);
    await expire(opening);
    await finishAll();
    expect(await readCalls(opening)).toMatchObject([{ state: 'failed', step: null }]);
    expect(await countCustomers(opening)).toBe(0);
  });

  it('adopts what a request without a reply made', async () => {
    const opening = await makeOpening();
    await expect(executeCall(ctx(), losing, opening)).rejects.toEqual(code('billing_unavailable'));
    await expire(opening);
    await finishAll();
    expect(await readCalls(opening)).toMatchObject([{ state: 'failed', step: 'customer' }]);
    expect(await countCustomers(opening)).toBe(1);
  });
});
