import { cancelLeaving, keepStaying } from '@uprez/domain/billing/changes/cancel-leaving';
import { syncCoupons } from '@uprez/domain/billing/coupons/sync-coupons';
import { deleteLeftCustomers } from '@uprez/domain/billing/delete-left-customers';
import { runDunning } from '@uprez/domain/billing/dunning/run-dunning';
import { pullEvents } from '@uprez/domain/billing/reconcile/pull-events';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { syncCustomerEmails } from '@uprez/domain/billing/sync-customer-emails';
import { syncPaymentMethods } from '@uprez/domain/billing/sync-payment-methods';
import { openPayments } from '@uprez/payments/open-payments';

/** The verbs that use Stripe's SDK, in one module: dispatchers without Stripe's keys don't load it. */
export const stripeVerbs = {
  cancelLeaving,
  deleteLeftCustomers,
  keepStaying,
  openPayments,
  pullEvents,
  reconcileSubscriptions,
  runDunning,
  syncChangedCatalog,
  syncCoupons,
  syncCustomerEmails,
  syncPaymentMethods,
};
