import type { ServedCall } from './http/define-call.ts';
import { accountCalls } from './resources/account.ts';
import { chargeCalls } from './resources/charges.ts';
import { checkoutSessionCalls } from './resources/checkout-sessions.ts';
import { couponCalls } from './resources/coupons.ts';
import { customerCalls } from './resources/customers.ts';
import { disputeCalls } from './resources/disputes.ts';
import { eventCalls } from './resources/events.ts';
import { invoicePaymentCalls } from './resources/invoice-payments.ts';
import { invoiceCalls } from './resources/invoices.ts';
import { paymentIntentCalls } from './resources/payment-intents.ts';
import { paymentMethodConfigurationCalls } from './resources/payment-method-configurations.ts';
import { paymentMethodCalls } from './resources/payment-methods.ts';
import { priceCalls } from './resources/prices.ts';
import { productCalls } from './resources/products.ts';
import { promotionCodeCalls } from './resources/promotion-codes.ts';
import { refundCalls } from './resources/refunds.ts';
import { setupIntentCalls } from './resources/setup-intents.ts';
import { subscriptionScheduleCalls } from './resources/subscription-schedules.ts';
import { subscriptionCalls } from './resources/subscriptions.ts';
import { testClockCalls } from './resources/test-clocks.ts';
import { webhookEndpointCalls } from './resources/webhook-endpoints.ts';

/** The calls of Stripe's API that the double serves. */
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
