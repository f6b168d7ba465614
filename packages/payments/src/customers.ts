import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import {
  type Page,
  type PageInput,
  pageParams,
  parsePage,
  parseReply,
  post,
  send,
  sendOrUndefined,
  type WithKey,
} from './transport/calls.ts';
import {
  centsField,
  metadataField,
  type Origin,
  optionalIdField,
  originMetadata,
  timeField,
  toOrigin,
} from './transport/fields.ts';

export type Customer = z.output<typeof customerSchema>;

const customerSchema = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    balance: centsField,
    created: timeField,
    invoice_settings: z.object({ default_payment_method: optionalIdField }),
    metadata: metadataField,
  })
  .transform(({ id, email, balance, created, invoice_settings, metadata }) => ({
    id,
    email,
    /** Cents. Negative: credit that the next invoices use. */
    balance,
    paymentMethodId: invoice_settings.default_payment_method,
    createdAt: created,
    ...toOrigin(metadata),
  }));
const deletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export async function createCustomer(
  payments: Payments,
  input: Origin & WithKey & { email: string; name?: string | undefined },
): Promise<Customer> {
  const { email, name } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.customers.create({ email, ...(name && { name }), metadata: originMetadata(input) }, options),
  );
  return parseReply(customerSchema, reply);
}

/** Returns undefined if the customer doesn't exist or was deleted. */
export async function findCustomer(payments: Payments, customerId: string): Promise<Customer | undefined> {
  const reply = await sendOrUndefined(payments, (stripe) => stripe.customers.retrieve(customerId));
  if (reply === undefined || deletedSchema.safeParse(reply).success) return undefined;
  return parseReply(customerSchema, reply);
}

/** Lists the customers with exactly this email address, to find one that a lost call created. */
export async function listCustomersByEmail(
  payments: Payments,
  { email, after }: PageInput & { email: string },
): Promise<Page<Customer>> {
  const reply = await send(payments, (stripe) => stripe.customers.list({ email, ...pageParams({ after }) }));
  return parsePage(customerSchema, reply);
}

export async function updateCustomer(
  payments: Payments,
  input: WithKey & {
    customerId: string;
    email?: string | undefined;
    paymentMethodId?: string | undefined;
    address?: { country: string; postalCode: string } | undefined;
  },
): Promise<Customer> {
  const { customerId, email, paymentMethodId, address } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.customers.update(
      customerId,
      {
        ...(email && { email }),
        ...(address && {
          address: { country: address.country, postal_code: address.postalCode },
          // Rejects what tax can't be computed from, before something is bought.
          tax: { validate_location: 'immediately' },
        }),
        ...(paymentMethodId && { invoice_settings: { default_payment_method: paymentMethodId } }),
      },
      options,
    ),
  );
  return parseReply(customerSchema, reply);
}

/** Deletes a customer and cancels its subscriptions at once. Does nothing if it is deleted already. */
export async function deleteCustomer(payments: Payments, customerId: string): Promise<void> {
  await sendOrUndefined(payments, (stripe) => stripe.customers.del(customerId));
}
