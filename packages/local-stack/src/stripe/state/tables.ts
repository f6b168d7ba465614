import type Stripe from 'stripe';
import type { CardFate } from '../resources/test-cards.ts';
import type { EventShapes } from '../shapes.ts';
import type { Wire } from '../wire.ts';

/** What the double stores: Stripe's objects, and rows of its own. References between objects are IDs. */
export interface Tables {
  charges: Wire<Stripe.Charge>;
  /** What checkout sessions sell, by the ID of the session. */
  checkoutOrders: CheckoutOrder;
  checkoutSessions: Wire<Stripe.Checkout.Session>;
  /** The tax IDs of customers that checkouts collected, by the ID of the customer. */
  customerTaxIds: { id: string; taxIds: Wire<Stripe.Invoice.CustomerTaxId>[] };
  coupons: Wire<Stripe.Coupon>;
  /** What coupons apply to, by the ID of the coupon. Stripe sends it only where it is expanded. */
  couponScopes: { id: string; appliesTo: Wire<Stripe.Coupon.AppliesTo> };
  /** Discounts that were given before keep the terms of a deleted coupon. */
  deletedCoupons: Wire<Stripe.Coupon>;
  customers: Wire<Stripe.Customer>;
  /** Stripe answers with the IDs of deleted customers. */
  deletedCustomers: { id: string };
  discounts: Wire<Stripe.Discount>;
  /** How far the calendar of a customer is ahead, because time passed for this customer only. */
  customerClocks: { id: string; aheadSeconds: number };
  disputes: Wire<Stripe.Dispute>;
  events: StoredEvent;
  invoices: Wire<Stripe.Invoice>;
  invoicePayments: Wire<Stripe.InvoicePayment>;
  paymentIntents: Wire<Stripe.PaymentIntent>;
  paymentMethods: Wire<Stripe.PaymentMethod>;
  pendingChanges: PendingChange;
  /** What happens to a payment method that is a card, by its ID. */
  cardFates: CardFate & { id: string };
  prices: Wire<Stripe.Price>;
  products: Wire<Stripe.Product>;
  promotionCodes: Wire<Stripe.PromotionCode>;
  /** One row: which payment methods customers may choose besides cards. Default: all. */
  methodSettings: { id: 'current'; paypal: 'on' | 'off' };
  /** One row: the tax where it is computed automatically. Default: 0. */
  taxSettings: { id: 'current'; ratePercent: number };
  /** One row: when renewals that failed are collected again. Default: 8 times within 2 weeks. */
  retryPolicies: { id: 'current'; delaysDays: number[] };
  refunds: Wire<Stripe.Refund>;
  setupIntents: Wire<Stripe.SetupIntent>;
  subscriptionSchedules: Wire<Stripe.SubscriptionSchedule>;
  subscriptions: Wire<Stripe.Subscription>;
  testClocks: Wire<Stripe.TestHelpers.TestClock>;
  webhookEndpoints: Wire<Stripe.WebhookEndpoint>;
  /** Signing secrets, which Stripe shows only when the endpoint is created. */
  webhookSecrets: { id: string; secret: string };
  deliveries: Delivery;
  savedReplies: SavedReply;
}

export type TableName = keyof Tables;

/** An event whose `data.object` is as it was when the event happened. */
export type StoredEvent = Wire<EventShapes[keyof EventShapes]>;

/** The reply to the first request with an idempotency key. */
export interface SavedReply {
  /** The key. */
  id: string;
  /** SHA-256 of method, path, and parameters. */
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  /** Unix time in seconds. */
  created: number;
}

/** A change of a subscription that its invoice must pay first. Times in seconds. */
export interface PendingChange {
  /** ID of the invoice. */
  id: string;
  subscription: string;
  price: string;
  /** When the new period starts. */
  current_period_start: number;
  current_period_end: number;
  /** IDs of the discounts that change with the price; null: they stay. */
  discounts: string[] | null;
}

/** What a checkout session creates when it is paid. */
export interface CheckoutOrder {
  id: string;
  customer: string;
  price: string;
  discounts: { coupon?: string; promotion_code?: string }[];
  /** Of the subscription, or of the payment intent. */
  metadata: Record<string, string>;
  /** Whether tax is computed. */
  collectsTax: boolean;
  /** Whether the address of the checkout becomes that of the customer. */
  savesAddress: boolean;
  /** Whether the name of a company becomes that of the customer. */
  savesName: boolean;
  /** Of the invoice of a single payment. Null: no invoice. */
  invoiceMetadata: Record<string, string> | null;
}

/** One event on its way to one webhook endpoint. */
export interface Delivery {
  id: string;
  event: string;
  endpoint: string;
  attempts: number;
  /** new: not planned yet. held: waits for its release. */
  status: 'new' | 'pending' | 'held' | 'delivered' | 'failed' | 'dropped';
  /** When the next attempt is due, on the clock of the double. Unix time in milliseconds. */
  due: number;
}
