import { randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { saveCallKey, saveStep } from '@uprez/db/queries/billing/billing-calls';
import type { StripeIds } from '@uprez/db/tables/billing-tables';
import { type Call, type CallContext, leaseS, type Step } from './call-kind.ts';
import { isKeyLost } from './to-billing-error.ts';

/** Runs a step and stores it. Throws PaymentError, and AppError `billing_busy` if another process claimed the call. */
export async function runStep<Request>(
  ctx: CallContext,
  step: Step<Request>,
  call: Call<Request>,
): Promise<Call<Request>> {
  const ids = call.isExpired && !step.isOwed ? await findOrFail(ctx, step, call) : await sendOrFind(ctx, step, call);
  const row = await ctx.db.transaction().execute(async (tx) => {
    const stripeIds = (await step.store?.(tx, call, ids)) ?? ids;
    const saved = await saveStep(tx, call, { step: step.name, stripeIds, leaseS });
    if (!saved) throw new AppError('billing_busy');
    return saved;
  });
  // Nothing more is made for an account that was deleted meanwhile. What was made is deleted with its customer.
  if (row.accountId === null) throw new AppError('user_not_found');
  return { ...call, ...row, request: call.request, accountId: row.accountId };
}

const keyOf = (call: { idempotencyKey: string }, step: { name: string }) => `${call.idempotencyKey}:${step.name}`;

async function sendOrFind<Request>(ctx: CallContext, step: Step<Request>, call: Call<Request>): Promise<StripeIds> {
  try {
    return await step.send(ctx, call, keyOf(call, step));
  } catch (error) {
    if (!isKeyLost(error)) throw error;
    ctx.log.warn({ err: error, callId: call.id, step: step.name }, 'key of a billing call lost');
    return (await step.find(ctx, call)) ?? (await sendUnderNewKey(ctx, step, call));
  }
}

async function sendUnderNewKey<Request>(ctx: CallContext, step: Step<Request>, call: Call<Request>) {
  const row = await saveCallKey(ctx.db, call, { key: randomUUID(), leaseS });
  if (!row) throw new AppError('billing_busy');
  return await step.send(ctx, call, keyOf(row, step));
}

/** A request without a reply may have been carried out, but what nobody waits for anymore isn't begun. */
async function findOrFail<Request>(ctx: CallContext, step: Step<Request>, call: Call<Request>): Promise<StripeIds> {
  const ids = await step.find(ctx, call);
  if (!ids)
    throw new AppError('billing_unavailable', { detail: "The change wasn't completed in time. Start it again." });
  return ids;
}
