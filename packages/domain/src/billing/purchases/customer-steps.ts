import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import {
  detachDeletedCustomer,
  findCustomer,
  insertCustomer,
  setEmailDigest,
} from '@uprez/db/queries/billing/billing-customers';
import { expireCheckoutSession, getCheckoutSession, listCheckoutSessions } from '@uprez/payments/checkout-sessions';
import {
  createCustomer,
  findCustomer as findAtStripe,
  listCustomersByEmail,
  updateCustomer,
} from '@uprez/payments/customers';
import { voidInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { cancelNow } from '@uprez/payments/subscription-changes';
import { getSubscription, listSubscriptions, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import type { CallContext, Step } from '../calls/call-kind.ts';
import { settlePlan } from '../plan/settle-plan.ts';
import type { PurchaseCall, PurchaseEnd } from './purchase-kind.ts';

/** Request with the email address that the account had when the call was opened. */
type EmailRequest = { email: string };

/** The stored digest shows whether the address at Stripe is outdated. */
const digestOf = (email: string): string => createHash('sha256').update(email).digest('hex');

type KnownCustomer = { customerId?: string; deletedCustomerId?: string };

/** If the customer was deleted at Stripe, returns its former ID as `deletedCustomerId`. */
async function findKnownCustomer(
  { db, payments }: Needs<'db' | 'payments'>,
  accountId: string,
): Promise<KnownCustomer> {
  const known = await findCustomer(db, accountId);
  if (!known) return {};
  const isThere = await findAtStripe(payments, known.stripeId);
  return isThere ? { customerId: known.stripeId } : { deletedCustomerId: known.stripeId };
}

/**
 * Creates the account's customer if it doesn't exist. Replaces a customer that was deleted at Stripe, but keeps its
 * bills.
 */
const createCustomerStep: Step<EmailRequest> = {
  name: 'customer',
  send: async (ctx, { id: callId, accountId, request: { email } }, idempotencyKey) => {
    const { customerId, ...deleted } = await findKnownCustomer(ctx, accountId);
    if (customerId) return { customerId };
    const { id } = await createCustomer(ctx.payments, { accountId, callId, email, idempotencyKey });
    return { customerId: id, ...deleted };
  },
  find: async (ctx, { accountId, request: { email } }) => {
    const { customerId, ...deleted } = await findKnownCustomer(ctx, accountId);
    if (customerId) return { customerId };
    const { items } = await listCustomersByEmail(ctx.payments, { email });
    const found = items.find((customer) => customer.accountId === accountId);
    return found && { customerId: found.id, ...deleted };
  },
  store: async (tx, { accountId, request: { email } }, { customerId: stripeId = '', deletedCustomerId }) => {
    const former = deletedCustomerId && (await detachDeletedCustomer(tx, { accountId, stripeId: deletedCustomerId }));
    const customerId = await insertCustomer(tx, {
      ...{ stripeId, accountId, emailDigest: digestOf(email) },
      ...(former && { moneyBackAt: former.moneyBackAt }),
    });
    // The former customer's subscriptions ended when the customer was deleted, but this may not be synced yet.
    if (former) await settlePlan(tx, accountId);
    // This ID can differ from `stripeId`. Another call for the account may have created a customer at the same time,
    // and only one of them is synced.
    return { customerId };
  },
};

/** Updates the customer's email address at Stripe, which is where bills are sent. */
const updateEmailStep: Step<EmailRequest> = {
  name: 'email',
  send: async ({ db, payments }, { accountId, request: { email }, stripeIds }, idempotencyKey) => {
    const { customerId = '' } = stripeIds;
    const known = await findCustomer(db, accountId);
    if (known?.emailDigest !== digestOf(email)) await updateCustomer(payments, { customerId, email, idempotencyKey });
    return {};
  },
  // Doesn't look for the effect, because repeating the step is harmless.
  find: async () => undefined,
  store: async (tx, { stripeIds, request: { email } }) => {
    await setEmailDigest(tx, stripeIds.customerId ?? '', digestOf(email));
  },
};

/** Sends the buyer's billing address to Stripe, for tax and invoices. */
export const addressStep: Step<{ billingAddress: BillingAddress | null; collectsTax: boolean }> = {
  name: 'address',
  send: async ({ payments }, { request: { billingAddress: address, collectsTax }, stripeIds }, idempotencyKey) => {
    const { customerId = '' } = stripeIds;
    if (address) await updateCustomer(payments, { customerId, address, collectsTax, idempotencyKey });
    return {};
  },
  // Doesn't look for the effect, because repeating the step is harmless.
  find: async () => undefined,
};

/** First steps of a purchase. They store the customer's ID in `stripeIds.customerId`. */
export const customerSteps = [createCustomerStep, updateEmailStep] as const;

/**
 * Throws AppError `already_subscribed` if the customer already has one of our subscriptions. Reads from Stripe, because
 * events may be late. Ends unpaid purchases from other calls, because only this one may be paid.
 */
export async function endOtherPurchases(ctx: CallContext, call: PurchaseCall): Promise<void> {
  const { customerId = '' } = call.stripeIds;
  const [subscriptions, sessions] = await Promise.all([
    listSubscriptions(ctx.payments, { customerId }),
    listCheckoutSessions(ctx.payments, { customerId }),
  ]);
  const others = subscriptions.items.filter((one) => one.price.isOurs && one.callId !== call.id && !isEnded(one));
  if (others.some(isPaid)) throw new AppError('already_subscribed');
  for (const { id } of others)
    if ((await endIncompleteSubscription(ctx, id)) === 'paid') throw new AppError('already_subscribed');
  const open = sessions.items.filter(
    ({ accountId, callId, mode, status }) =>
      accountId === call.accountId && callId !== call.id && mode === 'subscription' && status === 'open',
  );
  for (const { id } of open) if ((await expireSession(ctx, id)) === 'paid') throw new AppError('already_subscribed');
}

const isPaid = ({ status }: Subscription) => status !== 'incomplete';

export const isEnded = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/**
 * Ends an unpaid subscription. Voids its invoice before canceling, because Stripe refuses to void a paid invoice.
 * Without this check, canceling could end a subscription that was just paid. Throws AppError `billing_busy` while a
 * payment is being processed.
 */
export async function endIncompleteSubscription(ctx: CallContext, subscriptionId: string): Promise<PurchaseEnd> {
  const read = async () => (await getSubscription(ctx.payments, subscriptionId)).subscription;
  const before = await read();
  if (isEnded(before)) return 'ended';
  if (before.status !== 'incomplete') return 'paid';
  const isVoid = await voidUnpaidInvoice(ctx, before.latestInvoiceId ?? '');
  const after = await read();
  if (isEnded(after)) return 'ended';
  if (!isVoid && after.status !== 'incomplete') return 'paid';
  if (!isVoid) throw new AppError('billing_busy');
  await cancelNow(ctx.payments, { subscriptionId });
  return 'ended';
}

/** Returns false if Stripe refuses because the invoice is paid, void, or being paid. */
async function voidUnpaidInvoice({ payments }: CallContext, invoiceId: string): Promise<boolean> {
  try {
    // Uses a new key for each call, because voiding is idempotent and the key only has to cover retries after a lost
    // reply. With a stable key, Stripe would also replay errors.
    await voidInvoice(payments, { invoiceId, idempotencyKey: `void:${randomUUID()}` });
    return true;
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'invalid_request') return false;
    throw error;
  }
}

/** Expires a Checkout session. Returns `paid` if it was already completed. */
export async function expireSession({ payments }: CallContext, sessionId: string): Promise<PurchaseEnd> {
  try {
    const { status } = await getCheckoutSession(payments, sessionId);
    // Uses a new key for each call. The key only makes retries after a lost response safe, as in `voidUnpaidInvoice`.
    const idempotencyKey = `expire:${randomUUID()}`;
    if (status === 'open') await expireCheckoutSession(payments, { sessionId, idempotencyKey });
    return status === 'complete' ? 'paid' : 'ended';
  } catch (error) {
    if (!(error instanceof PaymentError) || error.kind !== 'invalid_request') throw error;
    const { status } = await getCheckoutSession(payments, sessionId);
    if (status === 'open') throw error;
    return status === 'complete' ? 'paid' : 'ended';
  }
}
