import { refundPayment } from '@uprez/domain/admin/payments/refund-payment';
import { receiveEvent } from '@uprez/domain/billing/receive-event';

/** The verbs that use Stripe's SDK, in one module: gateways without Stripe's keys don't load it. */
export const billingVerbs = { receiveEvent, refundPayment };
