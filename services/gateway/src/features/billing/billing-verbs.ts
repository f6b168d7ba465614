import { cancelSubscription, retryInvoice } from '@uprez/domain/admin/payments/change-subscription';
import { resyncAccount } from '@uprez/domain/admin/payments/health';
import { refundPayment } from '@uprez/domain/admin/payments/refund-payment';
import { reinstateKeptSubscriptions } from '@uprez/domain/billing/changes/cancel-leaving-subscriptions';
import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { changeCard } from '@uprez/domain/billing/changes/change-card';
import { changePlan, undoChange } from '@uprez/domain/billing/changes/change-plan';
import { refundPlan } from '@uprez/domain/billing/changes/money-back';
import { pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { payBill } from '@uprez/domain/billing/changes/pay-bill';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { findInvoicePdf } from '@uprez/domain/billing/own/list-invoices';
import {
  createCheckoutSession,
  createPackCheckout,
  createSubscription,
} from '@uprez/domain/billing/purchases/checkout';
import { readBillingSettings } from '@uprez/domain/billing/read-billing-settings';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';
import { receiveEvent } from '@uprez/domain/billing/stripe-events';

/** Functions that use Stripe's SDK. They are in one module, which gateways without Stripe's keys don't load. */
export const billingVerbs = {
  buyPack: createPackCheckout,
  createCheckoutSession,
  createSubscription,
  readBillingSettings,
  findInvoicePdf,
  receiveEvent,
  refreshBilling,
  cancelSubscription,
  refundPayment,
  resyncAccount,
  retryInvoice,
  cancelPlan,
  changeCard,
  changePlan,
  keepStaying: reinstateKeptSubscriptions,
  pausePlan,
  payBill,
  previewChange,
  refundPlan,
  resumePlan,
  undoChange,
};
