/** Replies of Stripe about the catalog, customers, and the account, as the SDK declares them. */
import Stripe from 'stripe';

/** 2026-11-01T00:00:00Z. */
export const created = 1_793_491_200;
const metadata = { app: 'uprez', account: 'acc_1', call: 'call_1' };

export const listOf = <Item>(data: Item[], hasMore = false): Stripe.ApiList<Item> => ({
  object: 'list',
  data,
  has_more: hasMore,
  url: '/v1/list',
});

export const customer = {
  id: 'cus_1',
  object: 'customer',
  balance: -300,
  created,
  default_source: null,
  description: null,
  email: 'ann@example.com',
  invoice_settings: {
    custom_fields: null,
    default_payment_method: 'pm_1',
    footer: null,
    rendering_options: null,
  },
  livemode: false,
  metadata,
  shipping: null,
} satisfies Stripe.Customer;

export const deletedCustomer = { id: 'cus_1', object: 'customer', deleted: true } satisfies Stripe.DeletedCustomer;

export const product = {
  id: 'uprez_pro',
  object: 'product',
  active: true,
  created,
  description: 'Pro plan',
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: { app: 'uprez' },
  name: 'Pro',
  package_dimensions: null,
  shippable: null,
  tax_details: null,
  type: 'service',
  updated: created,
  url: null,
} satisfies Stripe.Product;

export const price = {
  id: 'price_pro',
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created,
  currency: 'usd',
  custom_unit_amount: null,
  livemode: false,
  lookup_key: 'uprez_pro_month_v1_700',
  metadata: { app: 'uprez', tier: 'pro', version: '1' },
  nickname: null,
  product: 'uprez_pro',
  recurring: { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
  tax_behavior: 'exclusive',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: 700,
  unit_amount_decimal: Stripe.Decimal.from('700'),
} satisfies Stripe.Price;

export const coupon = {
  id: 'uprez_spring',
  object: 'coupon',
  amount_off: null,
  created,
  currency: null,
  duration: 'repeating',
  duration_in_months: 3,
  livemode: false,
  max_redemptions: null,
  metadata: { app: 'uprez' },
  name: 'Spring',
  percent_off: 25,
  redeem_by: null,
  times_redeemed: 0,
  valid: true,
} satisfies Stripe.Coupon;

export const promotionCode = {
  id: 'promo_1',
  object: 'promotion_code',
  active: true,
  code: 'SPRING',
  created,
  customer: null,
  customer_account: null,
  expires_at: null,
  livemode: false,
  max_redemptions: null,
  metadata: { app: 'uprez' },
  promotion: { type: 'coupon', coupon: 'uprez_spring' },
  restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
  times_redeemed: 0,
} satisfies Stripe.PromotionCode;

export const paymentMethod = {
  id: 'pm_1',
  object: 'payment_method',
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  card: {
    brand: 'visa',
    checks: null,
    country: 'US',
    display_brand: 'visa',
    exp_month: 12,
    exp_year: 2030,
    funding: 'credit',
    generated_from: null,
    last4: '4242',
    networks: null,
    regulated_status: null,
    three_d_secure_usage: { supported: true },
    wallet: null,
  },
  created,
  customer: 'cus_1',
  customer_account: null,
  livemode: false,
  metadata: {},
  type: 'card',
} satisfies Stripe.PaymentMethod;

export const setupIntent = {
  id: 'setup_1',
  object: 'setup_intent',
  allowed_payment_method_types: null,
  application: null,
  automatic_payment_methods: { enabled: true },
  cancellation_reason: null,
  client_secret: 'setup_1_secret_x',
  created,
  customer: 'cus_1',
  description: null,
  excluded_payment_method_types: null,
  flow_directions: null,
  last_setup_error: null,
  latest_attempt: null,
  livemode: false,
  mandate: null,
  metadata,
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'],
  single_use_mandate: null,
  status: 'requires_payment_method',
  usage: 'off_session',
} satisfies Stripe.SetupIntent;

const on = { available: true, display_preference: { overridable: null, preference: 'on', value: 'on' } } as const;
const off = { available: true, display_preference: { overridable: null, preference: 'off', value: 'off' } } as const;
export const methodConfiguration = {
  id: 'pmc_1',
  object: 'payment_method_configuration',
  active: true,
  application: null,
  card: on,
  is_default: true,
  klarna: off,
  livemode: false,
  name: 'Default',
  parent: null,
  paypal: on,
  us_bank_account: { ...on, available: false },
} satisfies Stripe.PaymentMethodConfiguration;

export const account = {
  id: 'acct_1',
  object: 'account',
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: 'owner@example.com',
  payouts_enabled: true,
  type: 'standard',
} satisfies Stripe.Account;

export const webhookEndpoint = {
  id: 'we_1',
  object: 'webhook_endpoint',
  api_version: Stripe.API_VERSION,
  application: null,
  created,
  description: null,
  enabled_events: ['invoice.paid'],
  livemode: false,
  metadata: { app: 'uprez' },
  secret: 'whsec_new',
  status: 'enabled',
  url: 'https://uprez.example/api/stripe/webhook',
} satisfies Stripe.WebhookEndpoint;

export const event = {
  id: 'evt_1',
  object: 'event',
  api_version: Stripe.API_VERSION,
  created,
  data: { object: customer },
  livemode: false,
  pending_webhooks: 1,
  request: { id: 'req_1', idempotency_key: null },
  type: 'customer.updated',
} satisfies Stripe.Event;
