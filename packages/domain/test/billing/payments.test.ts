import { randomUUID } from 'node:crypto';
import { type DisputeRow, listDisputeFacts, savePayments } from '@uprez/db/queries/billing/payments';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { expect, it } from 'vitest';

const world = fileFixture(openTestDatabase);
const at = new Date('2026-11-10T00:00:00Z');

/** Creates a paid invoice of 700 cents, and stores its payment. */
async function makePayment() {
  const { accountId } = await makeUser(world.db);
  const plan = { accountId, tier: 'pro', from: at, until: new Date('2026-12-10T00:00:00Z') } as const;
  const { invoiceId, subscriptionId } = await makePaidPlan(world.db, plan);
  const customerId = subscriptionId.replace('sub_', 'cus_');
  const payment = {
    id: `pi_${randomUUID()}`,
    ...{ customerId, invoiceId, amount: 700, received: 700, refunded: 0, currency: 'usd', status: 'succeeded' },
    ...{ method: 'card', isDisputed: true, createdAt: at },
  };
  const dispute: DisputeRow = {
    id: `dp_${randomUUID()}`,
    paymentId: payment.id,
    amount: 700,
    currency: 'usd',
    outcome: 'open',
    reason: 'fraudulent',
    createdAt: at,
  };
  const save = (change: object, disputes: readonly Partial<DisputeRow>[]) =>
    world.db.transaction().execute((tx) =>
      savePayments(tx, {
        payments: [{ ...payment, ...change }],
        refunds: [],
        disputes: disputes.map((one) => ({ ...dispute, ...one })),
      }),
    );
  const read = async () => {
    const payments = world.db.selectFrom('payments').select(['refunded', 'lost', 'invoiceId']);
    const invoices = world.db.selectFrom('invoices').select(['paid', 'refunded']).where('id', '=', invoiceId);
    return [
      await payments.where('id', '=', payment.id).executeTakeFirst(),
      await invoices.executeTakeFirst(),
      (await listDisputeFacts(world.db, customerId)).map(({ isClosed }) => isClosed),
    ];
  };
  return { invoiceId, save, read };
}

it('counts a lost dispute as returned, never more than the payment, and an open or won one as nothing', async () => {
  const { invoiceId, save, read } = await makePayment();
  await save({}, [{}]);
  expect(await read()).toEqual([{ refunded: 0, lost: 0, invoiceId }, { paid: 700, refunded: 0 }, [false]]);
  await save({}, [{ outcome: 'won' }]);
  expect(await read()).toEqual([{ refunded: 0, lost: 0, invoiceId }, { paid: 700, refunded: 0 }, [true]]);
  await save({ refunded: 300 }, [{ outcome: 'lost' }]);
  expect(await read()).toEqual([{ refunded: 300, lost: 400, invoiceId }, { paid: 700, refunded: 700 }, [true]]);
});

it('keeps the invoice of a payment, and what a dispute took, when only the payment is read', async () => {
  const { invoiceId, save, read } = await makePayment();
  await save({}, [{ outcome: 'lost', amount: 200 }]);
  await save({ invoiceId: null, refunded: 100 }, []);
  expect(await read()).toEqual([{ refunded: 100, lost: 200, invoiceId }, { paid: 700, refunded: 300 }, [true]]);
});
