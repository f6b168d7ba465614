import { cancelSubscription, retryInvoice } from '@uprez/domain/admin/payments/change-subscription';
import { refundPayment } from '@uprez/domain/admin/payments/refund-payment';
import { resyncAccount } from '@uprez/domain/admin/payments/resync-account';
import { keepStaying } from '@uprez/domain/billing/changes/cancel-leaving';
import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { changeCard } from '@uprez/domain/billing/changes/change-card';
import { changePlan, undoChange } from '@uprez/domain/billing/changes/change-plan';
import { refundPlan } from '@uprez/domain/billing/changes/money-back';
import { pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { payBill } from '@uprez/domain/billing/changes/pay-bill';
import { previewChange } from '@uprez/domain/billing/changes/preview-change';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { findInvoicePdf } from '@uprez/domain/billing/own/list-invoices';
import { buyPack, createCheckoutSession } from '@uprez/domain/billing/purchases/checkout-pages';
import { createSubscription } from '@uprez/domain/billing/purchases/create-subscription';
import { readBillingSettings } from '@uprez/domain/billing/read-billing-settings';
import { receiveEvent } from '@uprez/domain/billing/receive-event';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';

const adminWrites = { cancelSubscription, refundPayment, resyncAccount, retryInvoice };

const changes = {
  cancelPlan,
  changeCard,
  changePlan,
  keepStaying,
  pausePlan,
  payBill,
  previewChange,
  refundPlan,
  resumePlan,
  undoChange,
};

/** Functions that use Stripe's SDK, in one module that gateways without Stripe's keys don't load. */
export const billingVerbs = {
  buyPack,
  createCheckoutSession,
  createSubscription,
  readBillingSettings,
  findInvoicePdf,
  receiveEvent,
  refreshBilling,
  ...adminWrites,
  ...changes,
};
