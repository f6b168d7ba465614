import { AppError } from '@uprez/contracts/errors/app-error';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { completeCall, executeCall, openCall, runCall } from '@uprez/domain/billing/calls/run-call';
import { startOrAwait } from '@uprez/domain/billing/changes/await-same-change';
import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { changePlan, undoChange } from '@uprez/domain/billing/changes/change-plan';
import { refundPlan } from '@uprez/domain/billing/changes/money-back';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { keepKind, resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { refundKind } from '@uprez/domain/billing/refunds/refund-kind';
import { checkPaidUnits } from '@uprez/domain/usage/check-ledger';
import { listPayments } from '@uprez/payments/payment-intents';
import { getSubscription } from '@uprez/payments/subscriptions';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { checkCharges, checkSync } from '../life/check-life.ts';
import { openChangeWorld } from './open-change-world.ts';

const world = fileFixture(openChangeWorld);
const parallel = 50;

it('50 changes, cancellations, and refunds of one plan at once leave what Stripe has, and a consistent ledger', async () => {
  const subscriber = await world.buy({ priceId: world.yearlyPriceId });
  const { accountId, customerId, subscriptionId } = subscriber;
  const { items } = await listPayments(world.payments, { customerId });
  const paymentId = items[0]?.id ?? '';
  const change = async (priceId: string) => {
    const { previewId } = await previewChange(world.ctx, { accountId, priceId });
    return () => changePlan(world.ctx, { accountId, priceId, previewId });
  };
  const ways: (() => Promise<unknown>)[] = [
    await change('api_basic'),
    await change('api_pro'),
    () => cancelPlan(world.ctx, { accountId, feedback: 'unused' }),
    () => resumePlan(world.ctx, { accountId }),
    () => undoChange(world.ctx, accountId),
    () => executeCall(world.ctx, refundKind, { accountId, request: { paymentId, amount: 3_000 } }),
    () => refundPlan(world.ctx, { accountId }),
  ];
  const results = await Promise.allSettled(Array.from({ length: parallel }, (_, at) => ways[at % ways.length]?.()));
  const failed = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failed) expect(reason).toBeInstanceOf(AppError);
  expect(failed.length).toBeLessThan(parallel);
  await world.finishAll();
  await world.syncAll();
  const { tier } = await world.sync(subscriber);
  const { subscription } = await getSubscription(world.payments, subscriptionId);
  expect(tier === 'free').toBe(subscription.status !== 'active');
  await checkSync(world, customerId);
  await checkCharges(world, customerId);
  expect(await checkPaidUnits(world.ctx)).toEqual([]);
  expect((await listAllowanceErrors(world.db)).filter(({ subject }) => subject.startsWith('allowance'))).toEqual([]);
});

it('a change that another request completes after this one began returns the same', async () => {
  const { accountId, subscriptionId } = await world.buy('pro');
  await cancelPlan(world.ctx, { accountId, feedback: 'unused' });
  const row = await openCall(world.ctx, keepKind, { accountId, request: { subscriptionId } });
  if (!row) throw new Error('another change is open');
  const result = await startOrAwait(world.ctx, { kinds: [keepKind], accountId, wanted: {} }, async () => {
    await completeCall(world.ctx, await runCall(world.ctx, keepKind, row));
    await world.syncAll();
    throw new AppError('subscription_state');
  });
  expect(result).toMatchObject({ id: row.id, state: 'done' });
});
