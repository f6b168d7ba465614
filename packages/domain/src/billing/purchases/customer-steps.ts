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

/** Steps need the email address of the account when the call was opened. */
type WithEmail = { email: string };

/** What the database keeps of the address that Stripe has. */
const digestOf = (email: string): string => createHash('sha256').update(email).digest('hex');

type Known = { customerId?: string; deletedCustomerId?: string };

/** The account's customer, unless somebody deleted it at Stripe. */
async function findKnown({ db, payments }: Needs<'db' | 'payments'>, accountId: string): Promise<Known> {
  const known = await findCustomer(db, accountId);
  if (!known) return {};
  const isThere = await findAtStripe(payments, known.stripeId);
  return isThere ? { customerId: known.stripeId } : { deletedCustomerId: known.stripeId };
}

/** Creates the account's customer, once. One that was deleted at Stripe is replaced, and keeps its bills. */
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
    // Its subscriptions ended with it, which may not be synced yet.
    if (former) await settlePlan(tx, accountId);
    // Another call of the account may have created a customer meanwhile. Only one of them is synced.
    return { customerId };
  },
};

/** Tells Stripe the current address of the account, which bills are sent to. */
const updateEmailStep: Step<WithEmail> = {
  name: 'email',
  send: async ({ db, payments }, { accountId, request: { email }, stripeIds }, idempotencyKey) => {
    const { customerId = '' } = stripeIds;
    const known = await findCustomer(db, accountId);
    if (known?.emailDigest !== digestOf(email)) await updateCustomer(payments, { customerId, email, idempotencyKey });
    return {};
  },
  // Repeating it changes nothing.
  find: async () => undefined,
  store: async (tx, { stripeIds, request: { email } }) => {
    await setEmailDigest(tx, stripeIds.customerId ?? '', digestOf(email));
  },
};

/** Tells Stripe where the buyer pays tax, and what invoices say about the buyer. */
export const addressStep: Step<{ billingAddress: BillingAddress | null; collectsTax: boolean }> = {
  name: 'address',
  send: async ({ payments }, { request: { billingAddress: address, collectsTax }, stripeIds }, idempotencyKey) => {
    const { customerId = '' } = stripeIds;
    if (address) await updateCustomer(payments, { customerId, address, collectsTax, idempotencyKey });
    return {};
  },
  // Repeating it changes nothing.
  find: async () => undefined,
};

/** First steps of a purchase. They leave the ID in `stripeIds.customerId`. */
export const customerSteps = [createCustomerStep, updateEmailStep] as const;
