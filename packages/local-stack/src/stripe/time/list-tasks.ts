import { cancelSubscription, isEnded } from '../billing/cancel-subscription.ts';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { expirePendingUpdate } from '../billing/expire-pending-update.ts';
import type { Invoice } from '../billing/make-invoice.ts';
import { saveSubscription } from '../billing/save-subscription.ts';
import { itemOf, type Subscription } from '../billing/subscription-items.ts';
import { voidInvoiceOfSubscription } from '../billing/void-invoice.ts';
import { expireSession } from '../checkout/expire-session.ts';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { advanceInvoice, renewSubscription } from './renew-subscription.ts';

/** Something that happens by itself. */
export interface Task {
  /** Unix time in seconds. */
  due: number;
  /** Runs at its due time: `context.now()` returns it. */
  run(context: Context): void;
}

/** How long a subscription waits for its first payment. In seconds. */
const INCOMPLETE_SECONDS = 23 * 3600;

/** Lists what will happen by itself. Of tasks that are due at the same time, the first one runs first. */
export const listTasks = ({ store }: Context): Task[] => [
  ...store
    .list('subscriptions')
    .filter((subscription) => !isEnded(subscription))
    .flatMap(listSubscriptionTasks),
  ...store.list('invoices').flatMap(listInvoiceTasks),
  ...store
    .list('checkoutSessions')
    .filter(({ status }) => status === 'open')
    .map((session) => ({ due: session.expires_at, run: (context: Context) => expireSession(context, session) })),
];

function listSubscriptionTasks(subscription: Subscription): Task[] {
  const { status, created, pending_update: pending, pause_collection: pause } = subscription;
  if (status === 'incomplete')
    return [{ due: created + INCOMPLETE_SECONDS, run: (context) => expireIncomplete(context, subscription) }];
  const tasks: Task[] = [];
  if (pending) tasks.push({ due: pending.expires_at, run: (context) => expirePendingUpdate(context, subscription) });
  if (pause?.resumes_at)
    tasks.push({
      due: pause.resumes_at,
      run: (context) => saveSubscription(context, subscription, { pause_collection: null }),
    });
  const due = itemOf(subscription).current_period_end;
  return [...tasks, { due, run: (context) => renewSubscription(context, subscription) }];
}

function listInvoiceTasks(invoice: Invoice): Task[] {
  const { status, automatically_finalizes_at: finalizes, next_payment_attempt: retries } = invoice;
  if (status === 'draft' && finalizes !== null)
    return [{ due: finalizes, run: (context) => advanceInvoice(context, invoice) }];
  if (status === 'open' && retries !== null)
    return [{ due: retries, run: (context) => collectInvoice(context, invoice, { isAutomatic: true }) }];
  return [];
}

/** The invoice is voided, which ends the subscription. */
function expireIncomplete(context: Context, subscription: Subscription): void {
  const invoice = getRow(context, 'invoices', { id: idOf(subscription.latest_invoice) ?? '' });
  if (invoice.status === 'open') voidInvoiceOfSubscription(context, invoice);
  else cancelSubscription(context, subscription);
}
