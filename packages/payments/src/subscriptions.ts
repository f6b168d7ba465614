import * as z from 'zod';
import { priceSchema } from './catalog.ts';
import type { Payments } from './open-payments.ts';
import { paymentMethodSchema } from './payment-methods.ts';
import { scheduleSchema } from './subscription-schedules.ts';
import {
  type IdempotentInput,
  makeCalls,
  type Page,
  type PageInput,
  parseReply,
  post,
  send,
} from './transport/calls.ts';
import {
  currencyField,
  idField,
  metadataField,
  type Origin,
  optionalIdField,
  optionalTimeField,
  originMetadata,
  timeField,
  toOrigin,
} from './transport/fields.ts';

export type Subscription = z.output<typeof subscriptionSchema>;
/**
 * `clientSecret` is set if the customer must confirm a payment or, if the first invoice is 0, a card. Never store or
 * log it.
 */
export type SubscriptionToConfirm = {
  subscription: Subscription;
  clientSecret: { kind: 'payment' | 'setup'; value: string } | null;
};

const itemSchema = z.object({
  id: z.string(),
  price: priceSchema,
  current_period_start: timeField,
  current_period_end: timeField,
});
/** A reference that Stripe sends as an ID or, if expanded, as an object. */
const expandable = <Schema extends z.ZodType>(schema: Schema) => z.union([z.string(), schema]).nullable();
const discountSchema = z
  .object({ id: z.string(), source: z.object({ coupon: optionalIdField }), end: optionalTimeField })
  .transform(({ id, source: { coupon: couponId }, end: endsAt }) =>
    couponId === null ? null : { id, couponId, endsAt },
  );

const subscriptionSchema = z
  .object({
    id: z.string(),
    customer: idField,
    // Accepts statuses that Stripe may add later. They become `other`, which grants nothing.
    status: z
      .enum(['incomplete', 'incomplete_expired', 'active', 'past_due', 'unpaid', 'paused', 'trialing', 'canceled'])
      .or(z.string().transform(() => 'other' as const)),
    currency: currencyField,
    items: z.object({ data: z.array(itemSchema).min(1) }),
    billing_cycle_anchor: timeField,
    cancel_at: optionalTimeField,
    cancel_at_period_end: z.boolean(),
    cancellation_details: z.object({ feedback: z.string().nullable(), reason: z.string().nullable() }).nullable(),
    pause_collection: z.object({ resumes_at: optionalTimeField }).nullable(),
    schedule: expandable(scheduleSchema),
    pending_update: z
      .object({ expires_at: timeField, subscription_items: z.array(z.object({ price: idField })).nullable() })
      .nullable(),
    default_payment_method: expandable(paymentMethodSchema),
    discounts: z.array(z.union([z.string().transform(() => null), discountSchema])),
    latest_invoice: optionalIdField,
    automatic_tax: z.object({ enabled: z.boolean() }),
    created: timeField,
    ended_at: optionalTimeField,
    metadata: metadataField,
  })
  .transform((subscription) => {
    const { schedule, default_payment_method: method, pending_update: pending, pause_collection: pause } = subscription;
    const items = subscription.items.data;
    const item = items.find(({ price }) => price.isOurs) ?? (items[0] as (typeof items)[number]);
    const nextPhase = typeof schedule === 'object' ? schedule?.nextPhase : undefined;
    return {
      id: subscription.id,
      customerId: subscription.customer,
      status: subscription.status,
      currency: subscription.currency,
      itemId: item.id,
      price: item.price,
      periodStart: item.current_period_start,
      periodEnd: item.current_period_end,
      anchor: subscription.billing_cycle_anchor,
      cancelAt: subscription.cancel_at,
      cancelsAtPeriodEnd: subscription.cancel_at_period_end,
      cancelFeedback: subscription.cancellation_details?.feedback ?? null,
      cancelReason: subscription.cancellation_details?.reason ?? null,
      isPaused: pause !== null,
      pausedUntil: pause?.resumes_at ?? null,
      scheduleId: typeof schedule === 'object' ? (schedule?.id ?? null) : schedule,
      /**
       * Next phase of the schedule. Also null if the schedule wasn't expanded. Lists and `getSubscription` expand it.
       */
      next: nextPhase ? { priceId: nextPhase.priceId, startsAt: nextPhase.startsAt } : null,
      /** An upgrade that isn't paid yet. */
      pending: pending && {
        priceId: pending.subscription_items?.[0]?.price ?? null,
        expiresAt: pending.expires_at,
      },
      paymentMethodId: typeof method === 'object' ? (method?.id ?? null) : method,
      /** Type such as `card` or `paypal`. Also null if the payment method wasn't expanded. */
      paymentMethodType: typeof method === 'object' ? (method?.type ?? null) : null,
      card: typeof method === 'object' ? (method?.card ?? null) : null,
      /** Active discounts. Discounts that weren't expanded are omitted. */
      discounts: subscription.discounts.filter((discount) => discount !== null),
      latestInvoiceId: subscription.latest_invoice,
      collectsTax: subscription.automatic_tax.enabled,
      createdAt: subscription.created,
      endedAt: subscription.ended_at,
      ...toOrigin(subscription.metadata),
    };
  });

/** Fields to expand to find out whether the customer must confirm a payment or a card. */
export const confirmationExpands = ['latest_invoice.confirmation_secret', 'pending_setup_intent'];
const confirmationSchema = z.object({
  latest_invoice: expandable(
    z.object({
      status: z.string().nullable(),
      confirmation_secret: z.object({ client_secret: z.string() }).nullish(),
    }),
  ),
  pending_setup_intent: expandable(z.object({ client_secret: z.string().nullable() })),
});

export function parseSubscription(reply: unknown): Subscription {
  return parseReply(subscriptionSchema, reply);
}

export function parseSubscriptionToConfirm(reply: unknown): SubscriptionToConfirm {
  const subscription = parseSubscription(reply);
  const { latest_invoice: invoice, pending_setup_intent: setup } = parseReply(confirmationSchema, reply);
  if (typeof invoice === 'object' && invoice?.status === 'open' && invoice.confirmation_secret)
    return { subscription, clientSecret: { kind: 'payment', value: invoice.confirmation_secret.client_secret } };
  if (typeof setup === 'object' && setup?.client_secret)
    return { subscription, clientSecret: { kind: 'setup', value: setup.client_secret } };
  return { subscription, clientSecret: null };
}

/**
 * Creates a subscription that the customer pays for in our form. It stays `incomplete` for up to 23 hours until it is
 * paid.
 */
export async function createSubscription(
  payments: Payments,
  input: Origin &
    IdempotentInput & {
      customerId: string;
      priceId: string;
      promotionCodeId?: string | undefined;
      collectsTax: boolean;
    },
): Promise<SubscriptionToConfirm> {
  const { customerId, priceId, promotionCodeId, collectsTax } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.subscriptions.create(
      {
        customer: customerId,
        items: [{ price: priceId }],
        payment_behavior: 'default_incomplete',
        billing_mode: { type: 'flexible' },
        payment_settings: { save_default_payment_method: 'on_subscription' },
        ...(promotionCodeId && { discounts: [{ promotion_code: promotionCodeId }] }),
        ...(collectsTax && { automatic_tax: { enabled: true } }),
        metadata: originMetadata(input),
        expand: confirmationExpands,
      },
      options,
    ),
  );
  return parseSubscriptionToConfirm(reply);
}

const expands = ['default_payment_method', 'schedule', 'discounts'];

/** Reads a subscription. Includes a client secret if the customer must confirm a payment or a card. */
export async function getSubscription(payments: Payments, subscriptionId: string): Promise<SubscriptionToConfirm> {
  const reply = await send(payments, (stripe) =>
    stripe.subscriptions.retrieve(subscriptionId, { expand: [...expands, ...confirmationExpands] }),
  );
  return parseSubscriptionToConfirm(reply);
}

/** Lists the subscriptions of one customer or of the whole Stripe account, in every status. */
export function listSubscriptions(
  payments: Payments,
  { customerId, after }: PageInput & { customerId?: string | undefined },
): Promise<Page<Subscription>> {
  return makeCalls(subscriptionSchema).list(payments, { after }, (stripe, page) =>
    stripe.subscriptions.list({
      status: 'all',
      ...(customerId && { customer: customerId }),
      expand: expands.map((field) => `data.${field}`),
      ...page,
    }),
  );
}
