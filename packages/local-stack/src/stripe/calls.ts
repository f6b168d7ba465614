import type { ServedCall } from './http/define-call.ts';
import { accountCalls, paymentMethodConfigurationCalls } from './resources/account.ts';
import { chargeCalls, disputeCalls } from './resources/charges.ts';
import { checkoutSessionCalls } from './resources/checkout-sessions.ts';
import { couponCalls } from './resources/coupons.ts';
import { customerCalls } from './resources/customers.ts';
import { invoiceCalls, invoicePaymentCalls } from './resources/invoices.ts';
import { paymentIntentCalls } from './resources/payment-intents.ts';
import { paymentMethodCalls } from './resources/payment-methods.ts';
import { priceCalls } from './resources/prices.ts';
import { productCalls } from './resources/products.ts';
import { promotionCodeCalls } from './resources/promotion-codes.ts';
import { refundCalls } from './resources/refunds.ts';
import { setupIntentCalls } from './resources/setup-intents.ts';
import { subscriptionScheduleCalls } from './resources/subscription-schedules.ts';
import { subscriptionCalls } from './resources/subscriptions.ts';
import { testClockCalls } from './resources/test-clocks.ts';
import { eventCalls, webhookEndpointCalls } from './resources/webhook-endpoints.ts';

/** Calls of Stripe's API that the double supports. */
export const calls: readonly ServedCall[] = [
  ...accountCalls,
  ...chargeCalls,
  ...checkoutSessionCalls,
  ...couponCalls,
  ...customerCalls,
  ...disputeCalls,
  ...eventCalls,
  ...invoiceCalls,
  ...invoicePaymentCalls,
  ...paymentIntentCalls,
  ...paymentMethodCalls,
  ...paymentMethodConfigurationCalls,
  ...priceCalls,
  ...productCalls,
  ...promotionCodeCalls,
  ...refundCalls,
  ...setupIntentCalls,
  ...subscriptionCalls,
  ...subscriptionScheduleCalls,
  ...testClockCalls,
  ...webhookEndpointCalls,
];
