import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import {
  type IdempotentInput,
  makeCalls,
  type Page,
  type PageInput,
  parseReply,
  sendOrUndefined,
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
    /** In cents. Negative if the customer has credit, which the next invoices use. */
    balance,
    paymentMethodId: invoice_settings.default_payment_method,
    createdAt: created,
    ...toOrigin(metadata),
  }));
const customerCalls = makeCalls(customerSchema);
const deletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export function createCustomer(
  payments: Payments,
  input: Origin & IdempotentInput & { email: string; name?: string | undefined },
): Promise<Customer> {
  const { email, name } = input;
  return customerCalls.post(payments, input, (stripe, options) =>
    stripe.customers.create({ email, ...(name && { name }), metadata: originMetadata(input) }, options),
  );
}

/** Returns undefined if the customer doesn't exist or was deleted. */
export async function findCustomer(payments: Payments, customerId: string): Promise<Customer | undefined> {
  const reply = await sendOrUndefined(payments, (stripe) => stripe.customers.retrieve(customerId));
  if (reply === undefined || deletedSchema.safeParse(reply).success) return undefined;
  return parseReply(customerSchema, reply);
}

/**
 * Lists the customers with exactly this email address, to find a customer that was created although the response was
 * lost.
 */
export const listCustomersByEmail = (
  payments: Payments,
  { email, after }: PageInput & { email: string },
): Promise<Page<Customer>> =>
  customerCalls.list(payments, { after }, (stripe, page) => stripe.customers.list({ email, ...page }));

/** Customer details that are printed on invoices. `taxId`: printed as entered. */
export type CustomerAddress = {
  country: string;
  postalCode: string;
  company?: string | undefined;
  street?: string | undefined;
  city?: string | undefined;
  taxId?: string | undefined;
};

const toAddressParams = ({ country, postalCode, company, street, city }: CustomerAddress) => ({
  // An empty string clears the value stored by an earlier purchase.
  name: company ?? '',
  address: { country, postal_code: postalCode, line1: street ?? '', city: city ?? '' },
});
const toCustomFields = ({ taxId }: CustomerAddress) => (taxId ? [{ name: 'Tax ID', value: taxId }] : ('' as const));

export function updateCustomer(
  payments: Payments,
  input: IdempotentInput & {
    customerId: string;
    email?: string | undefined;
    paymentMethodId?: string | undefined;
    address?: CustomerAddress | undefined;
    /** Whether to reject an address that tax can't be computed from. */
    collectsTax?: boolean | undefined;
  },
): Promise<Customer> {
  const { customerId, email, paymentMethodId, address, collectsTax } = input;
  return customerCalls.post(payments, input, (stripe, options) =>
    stripe.customers.update(
      customerId,
      {
        ...(email && { email }),
        ...(address && toAddressParams(address)),
        // Rejects an address that tax can't be computed from, before anything is bought.
        ...(address && collectsTax && { tax: { validate_location: 'immediately' } }),
        ...((paymentMethodId || address) && {
          invoice_settings: {
            ...(paymentMethodId && { default_payment_method: paymentMethodId }),
            ...(address && { custom_fields: toCustomFields(address) }),
          },
        }),
      },
      options,
    ),
  );
}

/** Deletes a customer and cancels its subscriptions immediately. Does nothing if the customer is already deleted. */
export async function deleteCustomer(payments: Payments, customerId: string): Promise<void> {
  await sendOrUndefined(payments, (stripe) => stripe.customers.del(customerId));
}
