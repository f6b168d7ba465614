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
import type { Tables } from '../state/tables.ts';
import { advanceInvoice, renewSubscription } from './renew-subscription.ts';
import { finishAdvance, targetOf, timeOf } from './test-clocks.ts';

/** Something that happens by itself. */
export interface Task {
  /** Unix time in seconds. */
  due: number;
  /** The time of its customer. */
  now: number;
  /** Runs at its due time: `context.now()` returns it. */
  run(context: Context): void;
}

/** How long a subscription waits for its first payment. In seconds. */
const INCOMPLETE_SECONDS = 23 * 3600;

/** Lists what will happen by itself. Of tasks that are due at the same time, the first one runs first. */
export function listTasks(context: Context): Task[] {
  const { store } = context;
  const list = <T extends Owned>(rows: readonly T[], tasksOf: (row: T) => Planned[]): Task[] =>
    rows.flatMap((row) => {
      const planned = tasksOf(row);
      const now = planned.length > 0 ? timeOf(context, idOf(row.customer)) : 0;
      return planned.map((task) => ({ ...task, now }));
    });
  return [
    ...list(store.list('subscriptions'), listSubscriptionTasks),
    ...list(store.list('invoices'), listInvoiceTasks),
    ...list(store.list('checkoutSessions'), listSessionTasks),
    ...store.list('testClocks').flatMap(listClockTasks),
  ];
}

type Owned = { customer?: string | { id: string } | null };
type Planned = Omit<Task, 'now'>;

const listSessionTasks = (session: Tables['checkoutSessions']): Planned[] =>
  session.status === 'open' ? [{ due: session.expires_at, run: (context) => expireSession(context, session) }] : [];

/** Comes after everything that is due until then. */
const listClockTasks = (clock: Tables['testClocks']): Task[] =>
  clock.status === 'advancing'
    ? [{ due: targetOf(clock), now: targetOf(clock), run: (context) => finishAdvance(context, clock) }]
    : [];

function listSubscriptionTasks(subscription: Subscription): Planned[] {
  if (isEnded(subscription)) return [];
  const { status, created, pending_update: pending, pause_collection: pause } = subscription;
  if (status === 'incomplete')
    return [{ due: created + INCOMPLETE_SECONDS, run: (context) => expireIncomplete(context, subscription) }];
  const tasks: Planned[] = [];
  if (pending) tasks.push({ due: pending.expires_at, run: (context) => expirePendingUpdate(context, subscription) });
  if (pause?.resumes_at)
    tasks.push({
      due: pause.resumes_at,
      run: (context) => saveSubscription(context, subscription, { pause_collection: null }),
    });
  const due = itemOf(subscription).current_period_end;
  return [...tasks, { due, run: (context) => renewSubscription(context, subscription) }];
}

function listInvoiceTasks(invoice: Invoice): Planned[] {
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
