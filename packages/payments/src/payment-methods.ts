import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls, type Page, type PageInput } from './transport/calls.ts';
import { metadataField, type Origin, optionalIdField, originMetadata, toOrigin } from './transport/fields.ts';

export type PaymentMethod = z.output<typeof paymentMethodSchema>;
export type SetupIntent = z.output<typeof setupIntentSchema>;

export const paymentMethodSchema = z
  .object({
    id: z.string(),
    type: z.string(),
    card: z
      .object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })
      .nullish()
      .transform((card) =>
        card ? { brand: card.brand, last4: card.last4, expiryMonth: card.exp_month, expiryYear: card.exp_year } : null,
      ),
  })
  .transform(({ id, type, card }) => ({ id, type, card }));
const paymentMethodCalls = makeCalls(paymentMethodSchema);

const setupIntentSchema = z
  .object({
    id: z.string(),
    status: z.enum([
      'requires_payment_method',
      'requires_confirmation',
      'requires_action',
      'processing',
      'succeeded',
      'canceled',
    ]),
    client_secret: z.string().nullable(),
    customer: optionalIdField,
    payment_method: optionalIdField,
    metadata: metadataField,
  })
  .transform(({ id, status, client_secret, customer, payment_method, metadata }) => ({
    id,
    status,
    /** For use in the browser. Never store or log it. */
    clientSecret: client_secret,
    customerId: customer,
    paymentMethodId: payment_method,
    ...toOrigin(metadata),
  }));
const setupIntentCalls = makeCalls(setupIntentSchema);

/** Creates a setup intent to save a payment method. The browser confirms it with the client secret. */
export const createSetupIntent = (
  payments: Payments,
  input: Origin & IdempotentInput & { customerId: string },
): Promise<SetupIntent> =>
  setupIntentCalls.post(payments, input, (stripe, options) =>
    stripe.setupIntents.create(
      { customer: input.customerId, usage: 'off_session', metadata: originMetadata(input) },
      options,
    ),
  );

export const getSetupIntent = (payments: Payments, setupIntentId: string): Promise<SetupIntent> =>
  setupIntentCalls.get(payments, (stripe) => stripe.setupIntents.retrieve(setupIntentId));

export const getPaymentMethod = (payments: Payments, paymentMethodId: string): Promise<PaymentMethod> =>
  paymentMethodCalls.get(payments, (stripe) => stripe.paymentMethods.retrieve(paymentMethodId));

export const listPaymentMethods = (
  payments: Payments,
  { customerId, after }: PageInput & { customerId: string },
): Promise<Page<PaymentMethod>> =>
  paymentMethodCalls.list(payments, { after }, (stripe, page) => stripe.customers.listPaymentMethods(customerId, page));

const configurationSchema = z.looseObject({ id: z.string(), active: z.boolean(), is_default: z.boolean() });
const methodSchema = z.object({
  available: z.boolean(),
  display_preference: z.object({ value: z.enum(['on', 'off']) }),
});

/**
 * Lists the types of payment methods enabled in the account's default configuration, such as `card` and `paypal`,
 * sorted.
 */
export async function listEnabledMethods(payments: Payments): Promise<string[]> {
  const { items } = await makeCalls(configurationSchema).list(payments, {}, (stripe, page) =>
    stripe.paymentMethodConfigurations.list(page),
  );
  const configuration = items.find((item) => item.is_default && item.active);
  return Object.entries(configuration ?? {})
    .filter(([, value]) => {
      const method = methodSchema.safeParse(value).data;
      return method?.available && method.display_preference.value === 'on';
    })
    .map(([type]) => type)
    .sort();
}
