import type Stripe from 'stripe';
import type { CardBehavior } from '../resources/test-cards.ts';
import type { EventShapes } from '../shapes.ts';
import type { Wire } from '../wire.ts';

/** Stripe's objects and the double's own rows. Objects refer to each other by ID. */
export interface Tables {
  charges: Wire<Stripe.Charge>;
  /** Orders for checkout sessions, keyed by session ID. */
  checkoutOrders: CheckoutOrder;
  checkoutSessions: Wire<Stripe.Checkout.Session>;
  /** Tax IDs collected in Checkout, keyed by customer ID. */
  customerTaxIds: { id: string; taxIds: Wire<Stripe.Invoice.CustomerTaxId>[] };
  coupons: Wire<Stripe.Coupon>;
  /**
   * The products that coupons apply to, keyed by coupon ID. Kept separately, because Stripe sends `applies_to` only
   * when it is expanded.
   */
  couponScopes: { id: string; appliesTo: Wire<Stripe.Coupon.AppliesTo> };
  /** The terms of deleted coupons still apply to existing discounts. */
  deletedCoupons: Wire<Stripe.Coupon>;
  customers: Wire<Stripe.Customer>;
  /** Stripe still returns the IDs of deleted customers. */
  deletedCustomers: { id: string };
  discounts: Wire<Stripe.Discount>;
  /** How far a customer's calendar is ahead because time was advanced for this customer only. Keyed by customer ID. */
  customerClocks: { id: string; aheadSeconds: number };
  disputes: Wire<Stripe.Dispute>;
  events: StoredEvent;
  invoices: Wire<Stripe.Invoice>;
  invoicePayments: Wire<Stripe.InvoicePayment>;
  paymentIntents: Wire<Stripe.PaymentIntent>;
  paymentMethods: Wire<Stripe.PaymentMethod>;
  pendingChanges: PendingChange;
  /** Keyed by payment method ID. */
  cardFates: CardBehavior & { id: string };
  prices: Wire<Stripe.Price>;
  products: Wire<Stripe.Product>;
  promotionCodes: Wire<Stripe.PromotionCode>;
  /** One row: the payment methods offered in addition to cards. Default: all. */
  methodSettings: { id: 'current'; paypal: 'on' | 'off' };
  /** One row: the rate of automatic tax, as a percentage. Default: 0. */
  taxSettings: { id: 'current'; ratePercent: number };
  /** One row: the schedule for retrying failed renewals. Default: 8 retries within 2 weeks. */
  retryPolicies: { id: 'current'; delaysDays: number[] };
  refunds: Wire<Stripe.Refund>;
  setupIntents: Wire<Stripe.SetupIntent>;
  subscriptionSchedules: Wire<Stripe.SubscriptionSchedule>;
  subscriptions: Wire<Stripe.Subscription>;
  testClocks: Wire<Stripe.TestHelpers.TestClock>;
  webhookEndpoints: Wire<Stripe.WebhookEndpoint>;
  /**
   * Signing secrets, keyed by endpoint ID. Kept separately, because Stripe returns a secret only when its endpoint is
   * created.
   */
  webhookSecrets: { id: string; secret: string };
  deliveries: Delivery;
  savedReplies: SavedReply;
}

export type TableName = keyof Tables;

/** `data.object` is a snapshot of the object at the time of the event. */
export type StoredEvent = Wire<EventShapes[keyof EventShapes]>;

export interface SavedReply {
  id: string;
  /** SHA-256 of the request's method, path, and parameters. */
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  /** Unix time in seconds. */
  created: number;
}

/** Takes effect when its invoice is paid. Times are Unix times in seconds. */
export interface PendingChange {
  /** ID of the invoice that pays for the change. */
  id: string;
  subscription: string;
  price: string;
  current_period_start: number;
  current_period_end: number;
  /** IDs of the discounts after the change. Null if the discounts don't change. */
  discounts: string[] | null;
}

/** What a checkout session creates when it is paid. `id` is the session's ID. */
export interface CheckoutOrder {
  id: string;
  customer: string;
  price: string;
  discounts: { coupon?: string; promotion_code?: string }[];
  /** For the subscription or payment intent. */
  metadata: Record<string, string>;
  collectsTax: boolean;
  savesAddress: boolean;
  savesName: boolean;
  /** Metadata for the invoice of a one-time payment. Null if no invoice is created. */
  invoiceMetadata: Record<string, string> | null;
}

export interface Delivery {
  id: string;
  event: string;
  endpoint: string;
  attempts: number;
  /** `new`: not planned yet. `held`: waiting to be released. */
  status: 'new' | 'pending' | 'held' | 'delivered' | 'failed' | 'dropped';
  /** When the next attempt is due on the double's clock, as a Unix time in milliseconds. */
  due: number;
}
