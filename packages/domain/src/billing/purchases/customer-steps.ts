import { createHash } from 'node:crypto';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import {
  detachDeletedCustomer,
  findCustomer,
  insertCustomer,
  setEmailDigest,
} from '@uprez/db/queries/billing/billing-customers';
import {
  createCustomer,
  findCustomer as findAtStripe,
  listCustomersByEmail,
  updateCustomer,
} from '@uprez/payments/customers';
import type { Needs } from '../../context.ts';
import type { Step } from '../calls/call-kind.ts';
import { settlePlan } from '../plan/settle-plan.ts';

/** Request with the account's email address at the time the call was opened. */
type WithEmail = { email: string };

/** Returns the digest of an email address, which is stored to detect changes from the one at Stripe. */
const digestOf = (email: string): string => createHash('sha256').update(email).digest('hex');

type Known = { customerId?: string; deletedCustomerId?: string };

/** Returns the account's customer, or its former ID if it was deleted at Stripe. */
async function findKnown({ db, payments }: Needs<'db' | 'payments'>, accountId: string): Promise<Known> {
  const known = await findCustomer(db, accountId);
  if (!known) return {};
  const isThere = await findAtStripe(payments, known.stripeId);
  return isThere ? { customerId: known.stripeId } : { deletedCustomerId: known.stripeId };
}

/**
 * Creates the account's customer if it doesn't exist. A customer that was deleted at Stripe is replaced, but its bills
 * are kept.
 */
const createCustomerStep: Step<WithEmail> = {
  name: 'customer',
  send: async (ctx, { id: callId, accountId, request: { email } }, idempotencyKey) => {
    const { customerId, ...deleted } = await findKnown(ctx, accountId);
    if (customerId) return { customerId };
    const { id } = await createCustomer(ctx.payments, { accountId, callId, email, idempotencyKey });
    return { customerId: id, ...deleted };
  },
  find: async (ctx, { accountId, request: { email } }) => {
    const { customerId, ...deleted } = await findKnown(ctx, accountId);
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
    // Its subscriptions ended when it was deleted, which may not be synced yet.
    if (former) await settlePlan(tx, accountId);
    // Another call of the account may have created a customer at the same time. Only one of them is synced.
    return { customerId };
  },
};

/** Updates the email address at Stripe, to which bills are sent. */
const updateEmailStep: Step<WithEmail> = {
  name: 'email',
  send: async ({ db, payments }, { accountId, request: { email }, stripeIds }, idempotencyKey) => {
    const { customerId = '' } = stripeIds;
    const known = await findCustomer(db, accountId);
    if (known?.emailDigest !== digestOf(email)) await updateCustomer(payments, { customerId, email, idempotencyKey });
    return {};
  },
  // Repeating the step is harmless.
  find: async () => undefined,
  store: async (tx, { stripeIds, request: { email } }) => {
    await setEmailDigest(tx, stripeIds.customerId ?? '', digestOf(email));
  },
};

/** Sends Stripe the buyer's address for tax and invoices. */
export const addressStep: Step<{ billingAddress: BillingAddress | null; collectsTax: boolean }> = {
  name: 'address',
  send: async ({ payments }, { request: { billingAddress: address, collectsTax }, stripeIds }, idempotencyKey) => {
    const { customerId = '' } = stripeIds;
    if (address) await updateCustomer(payments, { customerId, address, collectsTax, idempotencyKey });
    return {};
  },
  // Repeating the step is harmless.
  find: async () => undefined,
};

/** First steps of a purchase. They leave the ID in `stripeIds.customerId`. */
export const customerSteps = [createCustomerStep, updateEmailStep] as const;
