import {
  cancelLeavingSubscriptions,
  reinstateKeptSubscriptions,
} from '@uprez/domain/billing/changes/cancel-leaving-subscriptions';
import { syncCoupons } from '@uprez/domain/billing/coupons/sync-coupons';
import { runDunning } from '@uprez/domain/billing/dunning/run-dunning';
import { syncPaymentMethods } from '@uprez/domain/billing/payment-methods';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { pullEvents } from '@uprez/domain/billing/stripe-events';
import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { deleteOrphanedCustomers, syncCustomerEmails } from '@uprez/domain/billing/update-customers';
import { openPayments } from '@uprez/payments/open-payments';

/** Functions that use Stripe's SDK. They are in one module, because dispatchers without Stripe's keys don't load it. */
export const stripeVerbs = {
  cancelLeaving: cancelLeavingSubscriptions,
  deleteLeftCustomers: deleteOrphanedCustomers,
  keepStaying: reinstateKeptSubscriptions,
  openPayments,
  pullEvents,
  reconcileSubscriptions,
  runDunning,
  syncChangedCatalog,
  syncCoupons,
  syncCustomerEmails,
  syncPaymentMethods,
};
