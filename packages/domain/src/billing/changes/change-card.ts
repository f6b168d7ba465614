import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { billingRules } from '@uprez/contracts/policy/billing/billing';
import {
  type CallRow,
  claimCall,
  endCall,
  findOpenCall,
  listOpenCalls,
  releaseCall,
} from '@uprez/db/queries/billing/billing-calls';
import { findBillingAccount, findOwnSubscription } from '@uprez/db/queries/billing/own-billing';
import { findCustomer, updateCustomer } from '@uprez/payments/customers';
import { payInvoice } from '@uprez/payments/invoices';
import { PaymentError, type PaymentErrorKind } from '@uprez/payments/payment-error';
import { createSetupIntent, getSetupIntent } from '@uprez/payments/payment-methods';
import { setPaymentMethod } from '@uprez/payments/subscription-changes';
import type { Needs } from '../../context.ts';
import { type CallContext, type CallKind, leaseS, type Step } from '../calls/call-kind.ts';
import type { Finisher } from '../calls/finish-next-call.ts';
import { completeCall, openCall, runCall } from '../calls/run-call.ts';
import { computeRetryDelayS, readStripe } from '../calls/stripe-errors.ts';
import { findBySubscription } from './shared-steps.ts';

const subscribedStatuses = ['active', 'past_due', 'unpaid'];

/**
 * Starts changing the card for future invoices. The browser confirms the new card with the returned client secret. A
 * second page gets the same secret, because every open change is polled at Stripe until it ends. Throws AppError.
 */
export async function changeCard(ctx: CallContext, accountId: string): Promise<{ clientSecret: string }> {
  const customerId = (await findBillingAccount(ctx.db, accountId))?.customerId;
  const own = customerId ? await findOwnSubscription(ctx.db, customerId) : undefined;
  if (!customerId || !own || !subscribedStatuses.includes(own.status)) throw new AppError('no_subscription');
  const opening = { accountId, request: { customerId, subscriptionId: own.id } };
  const row = (await openCall(ctx, intentKind, opening)) ?? (await replaceOpenCall(ctx, opening));
  if (!row) throw new AppError('billing_busy');
  const call = await runCall(ctx, intentKind, row);
  const { clientSecret } = await readStripe(getSetupIntent(ctx.payments, call.stripeIds.setupIntentId ?? ''));
  await releaseForRetry(ctx, call);
  if (clientSecret === null) throw new AppError('billing_unavailable');
  return { clientSecret };
}

type CardChangeInput = { accountId: string; request: CardChange };

/**
 * Claims the open change if its card can still be confirmed. Otherwise, ends that change and opens a new one. Returns
 * undefined if another process has claimed the open change.
 */
async function replaceOpenCall(ctx: CallContext, opening: CardChangeInput): Promise<CallRow | undefined> {
  const open = await findOpenCall(ctx.db, { accountId: opening.accountId, slot: 'card' });
  const row = open && (await claimCall(ctx.db, open.id, leaseS));
  if (!row || (await isConfirmable(ctx, row, opening.request))) return row;
  if (!(await useConfirmedCard(ctx, row))) await endCall(ctx.db, row, { state: 'failed', error: 'replaced' });
  return await openCall(ctx, intentKind, opening);
}

const confirmableStatuses = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** Also true if the setup intent hasn't been created yet. */
async function isConfirmable({ payments }: CallContext, row: CallRow, request: CardChange): Promise<boolean> {
  const { setupIntentId } = row.stripeIds;
  if (row.isExpired || !isDeepStrictEqual(row.request, request)) return false;
  return (
    !setupIntentId || confirmableStatuses.includes((await readStripe(getSetupIntent(payments, setupIntentId))).status)
  );
}

/**
 * Releases a call for a later retry by the dispatcher. The retry is needed because the customer may close the page
 * after confirming the card.
 */
const releaseForRetry = ({ db }: CallContext, call: Parameters<typeof releaseCall>[1] & { failures: number }) =>
  releaseCall(db, call, { delayS: computeRetryDelayS(undefined, call.failures), error: 'The card is not confirmed.' });

/**
 * Continues a card change. Uses the card if it has been confirmed. Otherwise, retries later, or ends the change if it
 * has expired.
 */
export const finishCard: Finisher = async (ctx, row) => {
  if (await useConfirmedCard(ctx, row)) return;
  if (row.isExpired || !row.stripeIds.setupIntentId)
    await endCall(ctx.db, row, { state: 'failed', error: 'not confirmed' });
  else await releaseForRetry(ctx, row);
};

async function useConfirmedCard(ctx: CallContext, row: CallRow): Promise<boolean> {
  const { setupIntentId } = row.stripeIds;
  if (!setupIntentId || !(await readStripe(findConfirmedCard(ctx, setupIntentId)))) return false;
  await completeCall(ctx, await runCall(ctx, cardKind, row));
  return true;
}

/** Uses the cards that an account has confirmed in open changes. */
export async function finishCards(ctx: CallContext, accountId: string): Promise<void> {
  for (const id of await listOpenCalls(ctx.db, { accountId, kind: cardKind.name })) {
    const row = await claimCall(ctx.db, id, leaseS);
    // After an AppError, the call has ended or stays open for the dispatcher.
    if (row) await finishCard(ctx, row).catch(ignoreAppError);
  }
}

function ignoreAppError(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

type CardChange = { customerId: string; subscriptionId: string };

const intentStep: Step<CardChange> = {
  name: 'intent',
  send: async ({ payments }, { id: callId, accountId, request: { customerId } }, idempotencyKey) => {
    const intent = await createSetupIntent(payments, { accountId, callId, customerId, idempotencyKey });
    return { setupIntentId: intent.id };
  },
  // Always creates a new intent, because the secret of an intent never reached the browser if Stripe's reply was lost.
  find: async () => undefined,
};

async function findConfirmedCard(
  { payments }: Needs<'payments'>,
  setupIntentId: string,
): Promise<{ paymentMethodId: string } | undefined> {
  const { status, paymentMethodId } = await getSetupIntent(payments, setupIntentId);
  return status === 'succeeded' && paymentMethodId ? { paymentMethodId } : undefined;
}

const confirmedStep: Step<CardChange> = {
  name: 'confirmed',
  send: async (ctx, { stripeIds: { setupIntentId = '' } }) => {
    const card = await findConfirmedCard(ctx, setupIntentId);
    if (!card) throw new Error('The card is not confirmed.');
    return card;
  },
  find: async (ctx, { stripeIds: { setupIntentId = '' } }) => findConfirmedCard(ctx, setupIntentId),
};

const customerStep: Step<CardChange> = {
  name: 'customer',
  send: async ({ payments }, { request: { customerId }, stripeIds: { paymentMethodId } }, idempotencyKey) => {
    await updateCustomer(payments, { customerId, paymentMethodId, idempotencyKey });
    return {};
  },
  find: async ({ payments }, { request: { customerId }, stripeIds: { paymentMethodId } }) => {
    const customer = await findCustomer(payments, customerId);
    return customer?.paymentMethodId === paymentMethodId ? {} : undefined;
  },
};

const subscriptionStep: Step<CardChange> = {
  name: 'subscription',
  send: async ({ payments }, { request: { subscriptionId }, stripeIds }, idempotencyKey) => {
    const paymentMethodId = stripeIds.paymentMethodId ?? '';
    await setPaymentMethod(payments, { subscriptionId, paymentMethodId, idempotencyKey });
    return {};
  },
  find: findBySubscription(({ paymentMethodId }, { stripeIds }) => paymentMethodId === stripeIds.paymentMethodId),
};

/** Errors after which the bill stays open. Its owner can still pay it in the browser. */
const unpaidKinds: readonly PaymentErrorKind[] = ['card_declined', 'action_required', 'invalid_request'];

const payStep: Step<CardChange> = {
  name: 'pay',
  send: async ({ db, payments }, { request: { customerId }, stripeIds }, idempotencyKey) => {
    const invoiceId = (await findOwnSubscription(db, customerId))?.unpaidId;
    if (!invoiceId) return {};
    const payment = { invoiceId, paymentMethodId: stripeIds.paymentMethodId, idempotencyKey };
    await payInvoice(payments, payment).catch((error: unknown) => {
      if (!(error instanceof PaymentError && unpaidKinds.includes(error.kind))) throw error;
    });
    return {};
  },
  // Whether the bill was paid doesn't need to be looked up, because it is collected again later in any case.
  find: async () => ({}),
};

/** Saves a card that the customer confirms in the browser. */
const intentKind: CallKind<CardChange> = {
  name: 'card',
  slot: 'card',
  expiresS: billingRules.purchaseHours * 3_600,
  steps: [intentStep],
};

/**
 * Like `intentKind`, but continues after the card has been confirmed. Uses the card for later bills and pays the open
 * bill.
 */
export const cardKind: CallKind<CardChange> = {
  ...intentKind,
  steps: [intentStep, confirmedStep, customerStep, subscriptionStep, payStep],
};
