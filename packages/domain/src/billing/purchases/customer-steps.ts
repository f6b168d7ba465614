import { createHash } from 'node:crypto';
import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing';
import { findCustomer, insertCustomer, setEmailDigest } from '@uprez/db/queries/billing/billing-customers';
import { createCustomer, listCustomersByEmail, updateCustomer } from '@uprez/payments/customers';
import type { Step } from '../calls/call-kind.ts';

/** Steps need the email address of the account when the call was opened. */
type WithEmail = { email: string };

/** What the database keeps of the address that Stripe has. */
const digestOf = (email: string): string => createHash('sha256').update(email).digest('hex');

/** Creates the account's customer, once. */
const createCustomerStep: Step<WithEmail> = {
  name: 'customer',
  send: async ({ db, payments }, { id: callId, accountId, request: { email } }, idempotencyKey) => {
    const known = await findCustomer(db, accountId);
    if (known) return { customerId: known.stripeId };
    return { customerId: (await createCustomer(payments, { accountId, callId, email, idempotencyKey })).id };
  },
  find: async ({ db, payments }, { accountId, request: { email } }) => {
    const known = await findCustomer(db, accountId);
    if (known) return { customerId: known.stripeId };
    const { items } = await listCustomersByEmail(payments, { email });
    const found = items.find((customer) => customer.accountId === accountId);
    return found && { customerId: found.id };
  },
  store: async (tx, { accountId, request: { email } }, { customerId: stripeId = '' }) => {
    await insertCustomer(tx, { stripeId, accountId, emailDigest: digestOf(email) });
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

/** Tells Stripe where the buyer pays tax. */
export const addressStep: Step<{ address: BillingAddress | null }> = {
  name: 'address',
  send: async ({ payments }, { request: { address }, stripeIds }, idempotencyKey) => {
    const { customerId = '' } = stripeIds;
    if (address) await updateCustomer(payments, { customerId, address, idempotencyKey });
    return {};
  },
  // Repeating it changes nothing.
  find: async () => undefined,
};

/** First steps of a purchase. They leave the ID in `stripeIds.customerId`. */
export const customerSteps = [createCustomerStep, updateEmailStep] as const;
