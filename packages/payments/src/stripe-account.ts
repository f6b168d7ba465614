import Stripe from 'stripe';
import * as z from 'zod';
import type { Mode, Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls, parseReply, post, sendOrUndefined } from './transport/calls.ts';
import { appName, currencyField, metadataField } from './transport/fields.ts';
import { eventTypes } from './webhook-events.ts';

export type StripeAccount = z.output<typeof accountSchema> & { mode: Mode };
export type WebhookEndpoint = z.output<typeof endpointSchema>;

const accountSchema = z
  .object({
    id: z.string(),
    country: z.string().optional(),
    default_currency: currencyField.optional(),
    charges_enabled: z.boolean(),
  })
  .transform(({ id, country, default_currency, charges_enabled }) => ({
    id,
    country: country ?? null,
    defaultCurrency: default_currency ?? null,
    canCharge: charges_enabled,
  }));

/**
 * Returns the Stripe account that the secret key belongs to. Throws PaymentError `invalid_credentials` for a wrong key.
 */
export async function getStripeAccount(payments: Payments): Promise<StripeAccount> {
  const account = await makeCalls(accountSchema).get(payments, (stripe) => stripe.accounts.retrieveCurrent());
  return { ...account, mode: payments.mode };
}

const endpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    status: z.enum(['enabled', 'disabled']),
    api_version: z.string().nullable(),
    enabled_events: z.array(z.string()),
    metadata: metadataField,
  })
  .transform(({ id, url, status, api_version, enabled_events, metadata }) => ({
    id,
    url,
    isEnabled: status === 'enabled',
    apiVersion: api_version,
    eventTypes: enabled_events,
    /** Whether the endpoint sends all event types that this package reads, in the SDK's API version. */
    isCurrent: api_version === Stripe.API_VERSION && eventTypes.every((type) => enabled_events.includes(type)),
    isOurs: metadata.app === appName,
  }));
const endpointCalls = makeCalls(endpointSchema);
const secretSchema = z.object({ secret: z.string() });

/** Creates an endpoint pinned to the SDK's API version. Stripe returns the secret only in this response. */
export async function createWebhookEndpoint(
  payments: Payments,
  input: IdempotentInput & { url: string },
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const reply = await post(payments, input, (stripe, options) =>
    stripe.webhookEndpoints.create(
      {
        url: input.url,
        enabled_events: [...eventTypes],
        api_version: Stripe.API_VERSION,
        metadata: { app: appName },
      },
      options,
    ),
  );
  return { endpoint: parseReply(endpointSchema, reply), secret: parseReply(secretSchema, reply).secret };
}

/** Lists the account's webhook endpoints. One page contains all of them, because Stripe allows 16. */
export async function listWebhookEndpoints(payments: Payments): Promise<WebhookEndpoint[]> {
  return (await endpointCalls.list(payments, {}, (stripe, page) => stripe.webhookEndpoints.list(page))).items;
}

export async function deleteWebhookEndpoint(payments: Payments, endpointId: string): Promise<void> {
  await sendOrUndefined(payments, (stripe) => stripe.webhookEndpoints.del(endpointId));
}
