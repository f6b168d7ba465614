import { billingRules } from '@uprez/contracts/policy/billing/billing';
import { findOwnSubscription } from '@uprez/db/queries/billing/own-billing';
import { findCustomer, updateCustomer } from '@uprez/payments/customers';
import { payInvoice } from '@uprez/payments/invoices';
import { PaymentError, type PaymentErrorKind } from '@uprez/payments/payment-error';
import { createSetupIntent, getSetupIntent } from '@uprez/payments/payment-methods';
import { setPaymentMethod } from '@uprez/payments/subscription-changes';
import type { Needs } from '../../context.ts';
import type { CallKind, Step } from '../calls/call-kind.ts';
import { whenSubscription } from './shared-steps.ts';

export type CardChange = { customerId: string; subscriptionId: string };

const intentStep: Step<CardChange> = {
  name: 'intent',
  send: async ({ payments }, { id: callId, accountId, request: { customerId } }, idempotencyKey) => {
    const intent = await createSetupIntent(payments, { accountId, callId, customerId, idempotencyKey });
    return { setupIntentId: intent.id };
  },
  // Nobody has the secret of an intent whose reply was lost, so a new intent is created.
  find: async () => undefined,
};

/** Returns the card that the customer confirmed in the browser, if any. */
export async function findConfirmedCard(
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
  find: whenSubscription(({ paymentMethodId }, { stripeIds }) => paymentMethodId === stripeIds.paymentMethodId),
};

/** Errors after which the bill stays open, and its owner can pay it in the browser. */
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
  // The bill is collected again later in any case.
  find: async () => ({}),
};

/** Saves a card that the customer confirms in the browser. */
export const intentKind: CallKind<CardChange> = {
  name: 'card',
  slot: 'card',
  expiresS: billingRules.purchaseHours * 3_600,
  steps: [intentStep],
};

/** Like `intentKind`, but continues after the card is confirmed: uses it for later bills and pays the open one. */
export const cardKind: CallKind<CardChange> = {
  ...intentKind,
  steps: [intentStep, confirmedStep, customerStep, subscriptionStep, payStep],
};
