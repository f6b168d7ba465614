import { refundPayment } from '@uprez/domain/admin/payments/refund-payment';
import { createCheckoutSession } from '@uprez/domain/billing/purchases/create-checkout-session';
import { createSubscription } from '@uprez/domain/billing/purchases/create-subscription';
import { receiveEvent } from '@uprez/domain/billing/receive-event';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';

/** The verbs that use Stripe's SDK, in one module: gateways without Stripe's keys don't load it. */
export const billingVerbs = { createCheckoutSession, createSubscription, receiveEvent, refreshBilling, refundPayment };
