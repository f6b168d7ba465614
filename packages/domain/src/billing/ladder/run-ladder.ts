import { AppError } from '@uprez/contracts/errors/app-error';
import { billingRules } from '@uprez/contracts/policy/billing';
import { insertCall } from '@uprez/db/queries/billing/billing-calls';
import { type DueStep, listDueSteps } from '@uprez/db/queries/billing/ladder';
import { uuidv7 } from 'uuidv7';
import { type CallContext, type CallKind, leaseS } from '../calls/call-kind.ts';
import { type Finisher, makeFinisher } from '../calls/finish-next-call.ts';
import { completeCall, runCall } from '../calls/run-call.ts';
import { collectKind, type UnpaidRequest } from './collect-kind.ts';
import { endKind } from './end-kind.ts';
import { ladderDays } from './ladder-days.ts';
import { saveFailedStep } from './save-failed-step.ts';

/** Continue the calls of the ladder. */
export const ladderFinishers: readonly (readonly [kind: string, finish: Finisher])[] = [
  [collectKind.name, makeFinisher(collectKind)],
  [endKind.name, makeFinisher(endKind)],
];

/**
 * Goes on with renewals that nobody paid: an email and an attempt on each day of the ladder, then the end of the plan. Needs
 * no event. Returns how many days were done. Safe to repeat and to run in several processes.
 */
export async function runLadder(ctx: CallContext): Promise<number> {
  let count = 0;
  for (const step of await listDueSteps(ctx.db, ladderDays))
    try {
      if (!(await doStep(ctx, step))) continue;
      count += 1;
      ctx.log.info({ subscriptionId: step.subscriptionId, day: step.day }, 'step of an unpaid renewal done');
    } catch (error) {
      // The bills of other accounts must be collected, too. The dispatcher continues the call.
      const facts = { err: error, subscriptionId: step.subscriptionId, day: step.day };
      if (!(error instanceof AppError)) ctx.log.warn(facts, 'step of an unpaid renewal failed, will retry');
    }
  return count;
}

/** Returns false if another process has the step. */
async function doStep(ctx: CallContext, step: DueStep): Promise<boolean> {
  const { day, invoiceId, nextAttemptAt } = step;
  if (day === billingRules.unpaidDays) return send(ctx, step, { kind: endKind, key: `end:${invoiceId}` });
  // Stripe has just tried, or will by itself.
  if (day === 0 || nextAttemptAt) return ctx.db.transaction().execute((tx) => saveFailedStep(tx, step));
  return send(ctx, step, { kind: collectKind, key: `retry:${invoiceId}:${day}` });
}

/** Runs a call whose key makes it the only one. Returns false if it exists. */
async function send(
  ctx: CallContext,
  { accountId, subscriptionId, invoiceId, day }: DueStep,
  { kind, key }: { kind: CallKind<UnpaidRequest>; key: string },
): Promise<boolean> {
  const request: UnpaidRequest = { subscriptionId, invoiceId, day };
  const { name, expiresS } = kind;
  const ids = { id: uuidv7(), accountId, kind: name, slot: `unpaid:${invoiceId}`, idempotencyKey: key };
  const row = await insertCall(ctx.db, { ...ids, request, expiresS, leaseS });
  if (!row) return false;
  await completeCall(ctx, await runCall(ctx, kind, row));
  return true;
}
