import { AppError } from '@uprez/contracts/errors/app-error';
import { billingRules } from '@uprez/contracts/policy/billing/billing';
import type { Tx } from '@uprez/db/database';
import { insertCall } from '@uprez/db/queries/billing/billing-calls';
import { lockCustomer } from '@uprez/db/queries/billing/billing-customers';
import { type DueStep, findUnpaidRenewal, listDueSteps, saveDunningStep } from '@uprez/db/queries/billing/dunning';
import { getInvoice, payInvoice, voidInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { cancelNow } from '@uprez/payments/subscription-changes';
import { getSubscription } from '@uprez/payments/subscriptions';
import { uuidv7 } from 'uuidv7';
import { queueBillingMail } from '../billing-mails.ts';
import { type Call, type CallContext, type CallKind, leaseS } from '../calls/call-kind.ts';
import { type Finisher, makeFinisher } from '../calls/finish-next-call.ts';
import { completeCall, runCall } from '../calls/run-call.ts';

type DunningRequest = { subscriptionId: string; invoiceId: string; day: number };
type Result = 'paid' | 'declined' | 'action_required';

const hourS = 3_600;

/** Collects an unpaid renewal. If that fails, queues the email for this dunning day. */
const collectKind: CallKind<DunningRequest> = {
  name: 'collect_unpaid',
  slot: null,
  expiresS: 20 * hourS,
  steps: [
    {
      name: 'pay',
      send: async ({ payments }, { request: { invoiceId } }, idempotencyKey) => {
        try {
          const { status } = await payInvoice(payments, { invoiceId, idempotencyKey });
          return { result: status === 'paid' ? 'paid' : 'declined' };
        } catch (error) {
          return { result: readFailure(error) };
        }
      },
      // If an earlier attempt was declined, the bill is still open and can be collected again.
      find: async ({ payments }, call) => ((await isPaid({ payments }, call)) ? { result: 'paid' } : undefined),
      store: async (tx, { request }, { result }) => {
        const renewal = await findUnpaidRenewal(tx, request.subscriptionId);
        if (renewal?.invoiceId !== request.invoiceId) return;
        if (result === 'paid') await saveDunningStep(tx, request);
        else await saveFailedStep(tx, { ...renewal, day: request.day, needsAction: result === 'action_required' });
      },
    },
  ],
};

/** Returns the result of an attempt that Stripe rejected. Rethrows any other error, after which the call is retried. */
function readFailure(error: unknown): Result {
  if (!(error instanceof PaymentError)) throw error;
  if (error.kind === 'action_required') return 'action_required';
  // Also covers a missing payment method, and a bill that has been paid or voided in the meantime. The next sync reads
  // the status of such a bill.
  if (error.kind === 'card_declined' || error.kind === 'invalid_request' || error.kind === 'not_found')
    return 'declined';
  throw error;
}

const isPaid = async ({ payments }: Pick<CallContext, 'payments'>, { request }: Call<DunningRequest>) =>
  (await getInvoice(payments, request.invoiceId)).invoice.status === 'paid';

const dayS = 86_400;

type EndCall = { ctx: CallContext; call: Call<DunningRequest> };

/**
 * Ends a plan after its renewal wasn't paid. Voids the bill first. If the bill was paid at the last moment, Stripe
 * refuses to void it, and the plan continues.
 */
const endKind: CallKind<DunningRequest> = {
  name: 'end_lapsed',
  slot: null,
  expiresS: 30 * dayS,
  steps: [
    {
      name: 'void',
      send: async (ctx, call, idempotencyKey) => {
        const { invoiceId } = call.request;
        try {
          const { status } = await voidInvoice(ctx.payments, { invoiceId, idempotencyKey });
          return { invoice: status };
        } catch (error) {
          const status =
            error instanceof PaymentError && error.kind === 'invalid_request' && (await readStatus({ ctx, call }));
          if (status && status !== 'open') return { invoice: status };
          throw error;
        }
      },
      find: async (ctx, call) => {
        const status = await readStatus({ ctx, call });
        return status === 'open' ? undefined : { invoice: status };
      },
    },
    {
      name: 'cancel',
      send: async (ctx, call) => {
        if (call.stripeIds.invoice !== 'paid' && !(await isEnded({ ctx, call })))
          await cancelNow(ctx.payments, { subscriptionId: call.request.subscriptionId });
        return {};
      },
      find: async (ctx, call) => ((await isEnded({ ctx, call })) ? {} : undefined),
      store: async (tx, { request }) => {
        const renewal = await findUnpaidRenewal(tx, request.subscriptionId);
        if (!renewal) return;
        await lockCustomer(tx, renewal.customerId);
        await saveDunningStep(tx, request);
      },
    },
  ],
};

const readStatus = async ({ ctx, call }: EndCall) =>
  (await getInvoice(ctx.payments, call.request.invoiceId)).invoice.status;

async function isEnded({ ctx, call }: EndCall): Promise<boolean> {
  const { subscription } = await getSubscription(ctx.payments, call.request.subscriptionId);
  return subscription.status === 'canceled';
}

export const dunningFinishers: readonly (readonly [kind: string, finish: Finisher])[] = [
  [collectKind.name, makeFinisher(collectKind)],
  [endKind.name, makeFinisher(endKind)],
];

/**
 * Processes unpaid renewals. Sends an email and tries to collect the bill on each dunning day, and finally ends the
 * plan. Doesn't depend on Stripe events. Returns the number of completed steps. Idempotent, and safe to run in several
 * processes.
 */
export async function runDunning(ctx: CallContext): Promise<number> {
  let count = 0;
  for (const step of await listDueSteps(ctx.db, dunningDays))
    try {
      if (!(await runDunningStep(ctx, step))) continue;
      count += 1;
      ctx.log.info({ subscriptionId: step.subscriptionId, day: step.day }, 'step of an unpaid renewal done');
    } catch (error) {
      // Continue, so that the invoices of other accounts are still collected. The dispatcher retries the failed billing
      // call.
      const facts = { err: error, subscriptionId: step.subscriptionId, day: step.day };
      if (!(error instanceof AppError)) ctx.log.warn(facts, 'step of an unpaid renewal failed, will retry');
    }
  return count;
}

/** Returns false if another process has already handled it. */
async function runDunningStep(ctx: CallContext, step: DueStep): Promise<boolean> {
  const { day, invoiceId, nextAttemptAt } = step;
  if (day === billingRules.unpaidDays) return runDunningCall(ctx, step, { kind: endKind, key: `end:${invoiceId}` });
  // Doesn't try to collect the bill, because Stripe has just tried or will retry on its own.
  if (day === 0 || nextAttemptAt) return ctx.db.transaction().execute((tx) => saveFailedStep(tx, step));
  return runDunningCall(ctx, step, { kind: collectKind, key: `retry:${invoiceId}:${day}` });
}

/** Runs a call only once, identified by its idempotency key. Returns false if the call already exists. */
async function runDunningCall(
  ctx: CallContext,
  { accountId, subscriptionId, invoiceId, day }: DueStep,
  { kind, key }: { kind: CallKind<DunningRequest>; key: string },
): Promise<boolean> {
  const request: DunningRequest = { subscriptionId, invoiceId, day };
  const { name, expiresS } = kind;
  const ids = { id: uuidv7(), accountId, kind: name, slot: `unpaid:${invoiceId}`, idempotencyKey: key };
  const row = await insertCall(ctx.db, { ...ids, request, expiresS, leaseS });
  if (!row) return false;
  await completeCall(ctx, await runCall(ctx, kind, row));
  return true;
}

/**
 * Days on which dunning steps are due, counted from the first failed attempt. On the last day, the plan ends. On all
 * other days, an email or another attempt is due.
 */
const dunningDays: readonly number[] = [0, ...billingRules.retryDays, billingRules.unpaidDays];

const dayMs = 86_400_000;
const addDays = (pastDueAt: Date, days: number) => new Date(Number(pastDueAt) + days * dayMs);

const dunningEndOf = (pastDueAt: Date): Date => addDays(pastDueAt, billingRules.unpaidDays);

/**
 * Returns the time of the next attempt to collect a bill. This is Stripe's own attempt, or the next dunning day if
 * Stripe won't retry. Returns null after the last attempt.
 */
function nextAttemptOf(renewal: { pastDueAt: Date; nextAttemptAt: Date | null }, day: number): Date | null {
  if (renewal.nextAttemptAt) return renewal.nextAttemptAt;
  const next = billingRules.retryDays.find((retryDay) => retryDay > day);
  return next === undefined ? null : addDays(renewal.pastDueAt, next);
}

/**
 * Records that a renewal is still unpaid on a dunning day and queues the email for that day. Returns false if the day
 * has already been recorded.
 */
async function saveFailedStep(tx: Tx, step: DueStep): Promise<boolean> {
  await lockCustomer(tx, step.customerId);
  if (!(await saveDunningStep(tx, step))) return false;
  const { accountId, invoiceId, day, needsAction, tier, due: amount, currency, pastDueAt } = step;
  const bill = { tier, amount, currency, endsAt: dunningEndOf(pastDueAt).toISOString() };
  const retryAt = nextAttemptOf(step, day)?.toISOString() ?? null;
  await queueBillingMail(tx, accountId, {
    key: `unpaid:${invoiceId}:${day}`,
    mail: needsAction ? { mail: 'payment_action_needed', ...bill } : { mail: 'payment_failed', ...bill, retryAt },
  });
  return true;
}
