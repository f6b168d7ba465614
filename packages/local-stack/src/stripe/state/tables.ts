import type Stripe from 'stripe';
import type { CardBehavior } from '../resources/test-cards.ts';
import type { EventShapes } from '../shapes.ts';
import type { Wire } from '../wire.ts';

/** Tables of the double: Stripe's objects, and rows of its own. References between objects are IDs. */
export interface Tables {
  charges: Wire<Stripe.Charge>;
  /** Orders of checkout sessions, by session ID. */
  checkoutOrders: CheckoutOrder;
  checkoutSessions: Wire<Stripe.Checkout.Session>;
  /** Tax IDs collected in Checkout, by customer ID. */
  customerTaxIds: { id: string; taxIds: Wire<Stripe.Invoice.CustomerTaxId>[] };
  coupons: Wire<Stripe.Coupon>;
  /** What coupons apply to, by coupon ID. Stripe sends `applies_to` only when it is expanded. */
  couponScopes: { id: string; appliesTo: Wire<Stripe.Coupon.AppliesTo> };
  /** Deleted coupons, whose terms still apply to existing discounts. */
  deletedCoupons: Wire<Stripe.Coupon>;
  customers: Wire<Stripe.Customer>;
  /** IDs of deleted customers, which Stripe still returns. */
  deletedCustomers: { id: string };
  discounts: Wire<Stripe.Discount>;
  /** How far a customer's calendar is ahead because time was advanced for this customer only. */
  customerClocks: { id: string; aheadSeconds: number };
  disputes: Wire<Stripe.Dispute>;
  events: StoredEvent;
  invoices: Wire<Stripe.Invoice>;
  invoicePayments: Wire<Stripe.InvoicePayment>;
  paymentIntents: Wire<Stripe.PaymentIntent>;
  paymentMethods: Wire<Stripe.PaymentMethod>;
  pendingChanges: PendingChange;
  /** Simulated behavior of payment methods, by payment method ID. */
  cardFates: CardBehavior & { id: string };
  prices: Wire<Stripe.Price>;
  products: Wire<Stripe.Product>;
  promotionCodes: Wire<Stripe.PromotionCode>;
  /** One row: the payment methods offered besides cards. Default: all. */
  methodSettings: { id: 'current'; paypal: 'on' | 'off' };
  /** One row: the rate of automatic tax. Default: 0. */
  taxSettings: { id: 'current'; ratePercent: number };
  /** One row: the schedule for retrying failed renewals. Default: 8 retries within 2 weeks. */
  retryPolicies: { id: 'current'; delaysDays: number[] };
  refunds: Wire<Stripe.Refund>;
  setupIntents: Wire<Stripe.SetupIntent>;
  subscriptionSchedules: Wire<Stripe.SubscriptionSchedule>;
  subscriptions: Wire<Stripe.Subscription>;
  testClocks: Wire<Stripe.TestHelpers.TestClock>;
  webhookEndpoints: Wire<Stripe.WebhookEndpoint>;
  /** Signing secrets, which Stripe returns only when an endpoint is created. */
  webhookSecrets: { id: string; secret: string };
  deliveries: Delivery;
  savedReplies: SavedReply;
}

export type TableName = keyof Tables;

/** An event whose `data.object` is a snapshot from the time of the event. */
export type StoredEvent = Wire<EventShapes[keyof EventShapes]>;

/** The reply to the first request with an idempotency key. */
export interface SavedReply {
  /** Idempotency key. */
  id: string;
  /** SHA-256 of method, path, and parameters. */
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  /** Unix time in seconds. */
  created: number;
}

/** A subscription change that takes effect when its invoice is paid. Times are Unix times in seconds. */
export interface PendingChange {
  /** ID of the invoice. */
  id: string;
  subscription: string;
  price: string;
  /** Start of the new period. */
  current_period_start: number;
  current_period_end: number;
  /** IDs of the discounts after the change. Null if the discounts don't change. */
  discounts: string[] | null;
}

/** What a checkout session creates when it is paid, by session ID. */
export interface CheckoutOrder {
  id: string;
  customer: string;
  price: string;
  discounts: { coupon?: string; promotion_code?: string }[];
  /** Metadata of the subscription or payment intent. */
  metadata: Record<string, string>;
  /** Whether tax is computed. */
  collectsTax: boolean;
  /** Whether the address entered in Checkout is saved to the customer. */
  savesAddress: boolean;
  /** Whether the company name entered in Checkout is saved to the customer. */
  savesName: boolean;
  /** Metadata of the invoice of a one-time payment. Null if there is no invoice. */
  invoiceMetadata: Record<string, string> | null;
}

/** Delivery of an event to a webhook endpoint. */
export interface Delivery {
  id: string;
  event: string;
  endpoint: string;
  attempts: number;
  /** new: not planned yet. held: waits to be released. */
  status: 'new' | 'pending' | 'held' | 'delivered' | 'failed' | 'dropped';
  /** When the next attempt is due on the double's clock, as Unix time in milliseconds. */
  due: number;
}
