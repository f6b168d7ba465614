import { cancelSubscription, isEnded } from '../billing/cancel-subscription.ts';
import { collectInvoice } from '../billing/collect-invoice.ts';
import { listDiscounts, spendDiscounts } from '../billing/discounts.ts';
import { draftRenewal } from '../billing/draft-renewal.ts';
import { getSubscriptionOfInvoice } from '../billing/find-invoice.ts';
import type { Invoice } from '../billing/make-invoice.ts';
import { createInvoice, finalizeInvoice } from '../billing/open-invoice.ts';
import { saveSubscription } from '../billing/save-subscription.ts';
import { advanceSchedule, applyNextPhase } from '../billing/schedules.ts';
import { getSubscriptionItem, type Subscription, withItem } from '../billing/subscription-items.ts';
import { voidInvoice, voidInvoiceOfSubscription, voidPendingChange } from '../billing/void-invoice.ts';
import { expireSession } from '../checkout/create-session.ts';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { clockTimeOf, customerTimeOf, finishAdvance } from './test-clocks.ts';

const INTERVAL_MS = 1_000;

export type Scheduler = ReturnType<typeof openScheduler>;

/**
 * Runs scheduled tasks. During a task, the double's time is the task's due time. Calls `onStored` after events have
 * been stored.
 */
export function openScheduler(context: Context, { onStored }: { onStored(): void }) {
  const runDue = () => {
    let task = findDueTask(context);
    if (!task) return;
    for (; task; task = findDueTask(context)) runTask(context, task);
    onStored();
  };
  const timer = setInterval(() => {
    try {
      runDue();
    } catch {
      // The error is a bug in the double. The task has had no effect. The next call runs the task again and reports the
      // error.
    }
  }, INTERVAL_MS);
  timer.unref();
  return { runDue, close: () => clearInterval(timer) };
}

function findDueTask(context: Context): Task | undefined {
  return listTasks(context)
    .filter(({ due, now }) => due <= now)
    .reduce<Task | undefined>((first, task) => (first && first.due <= task.due ? first : task), undefined);
}

const runTask = (context: Context, { due, run }: Task): void =>
  context.store.transaction(() => run({ ...context, now: () => due }));

interface Task {
  /** Unix time in seconds. */
  due: number;
  /** Unix time of the task's customer, in seconds. */
  now: number;
  /** `context.now()` returns the due time. */
  run(context: Context): void;
}

/** Time after which a subscription expires if its first invoice isn't paid, in seconds. */
const INCOMPLETE_TTL_SECONDS = 23 * 3600;

/** Lists scheduled tasks. If several tasks are due at the same time, the first one in the list runs first. */
function listTasks(context: Context): Task[] {
  const { store } = context;
  const list = <T extends OwnedRow>(rows: readonly T[], tasksOf: (row: T) => PlannedTask[]): Task[] =>
    rows.flatMap((row) => {
      const planned = tasksOf(row);
      const now = planned.length > 0 ? customerTimeOf(context, idOf(row.customer)) : 0;
      return planned.map((task) => ({ ...task, now }));
    });
  return [
    ...list(store.list('subscriptions'), listSubscriptionTasks),
    ...list(store.list('invoices'), listInvoiceTasks),
    ...list(store.list('checkoutSessions'), listSessionTasks),
    ...store.list('testClocks').flatMap(listClockTasks),
  ];
}

type OwnedRow = { customer?: string | { id: string } | null };
type PlannedTask = Omit<Task, 'now'>;

const listSessionTasks = (session: Tables['checkoutSessions']): PlannedTask[] =>
  session.status === 'open' ? [{ due: session.expires_at, run: (context) => expireSession(context, session) }] : [];

/** Listed last, because this task must run after all other tasks that are due by the target time. */
const listClockTasks = (clock: Tables['testClocks']): Task[] =>
  clock.status === 'advancing'
    ? [{ due: clockTimeOf(clock), now: clockTimeOf(clock), run: (context) => finishAdvance(context, clock) }]
    : [];

function listSubscriptionTasks(subscription: Subscription): PlannedTask[] {
  if (isEnded(subscription)) return [];
  const { status, created, pending_update: pending, pause_collection: pause } = subscription;
  if (status === 'incomplete')
    return [
      { due: created + INCOMPLETE_TTL_SECONDS, run: (context) => expireIncompleteSubscription(context, subscription) },
    ];
  const tasks: PlannedTask[] = [];
  if (pending) tasks.push({ due: pending.expires_at, run: (context) => expirePendingUpdate(context, subscription) });
  if (pause?.resumes_at)
    tasks.push({
      due: pause.resumes_at,
      run: (context) => saveSubscription(context, subscription, { pause_collection: null }),
    });
  const due = getSubscriptionItem(subscription).current_period_end;
  return [...tasks, { due, run: (context) => renewSubscription(context, subscription) }];
}

function listInvoiceTasks(invoice: Invoice): PlannedTask[] {
  const { status, automatically_finalizes_at: finalizes, next_payment_attempt: retries } = invoice;
  if (status === 'draft' && finalizes !== null)
    return [{ due: finalizes, run: (context) => advanceInvoice(context, invoice) }];
  if (status === 'open' && retries !== null)
    return [{ due: retries, run: (context) => collectInvoice(context, invoice, { isAutomatic: true }) }];
  return [];
}

function expireIncompleteSubscription(context: Context, subscription: Subscription): void {
  const invoice = getRow(context, 'invoices', { id: idOf(subscription.latest_invoice) ?? '' });
  if (invoice.status === 'open') voidInvoiceOfSubscription(context, invoice);
  else cancelSubscription(context, subscription);
}

/**
 * Starts the next period of a subscription and creates the draft invoice for it, or cancels the subscription if it is
 * set to end. While collection is paused, voids the invoice.
 */
function renewSubscription(context: Context, subscription: Subscription): void {
  // Expires a pending change, because paying for it later would move the period back.
  const before = subscription.pending_update ? expirePendingUpdate(context, subscription) : subscription;
  if (before.cancel_at_period_end) {
    cancelSubscription(context, before);
    return;
  }
  const next = applyNextPhase(context, before);
  const draft = draftRenewal(context, next);
  const { start, end } = draft.lines.data[0]?.period ?? { start: draft.period_end, end: draft.period_end };
  const renewed = saveSubscription(context, before, {
    billing_cycle_anchor: next.billing_cycle_anchor,
    discounts: spendDiscounts(context, before, listDiscounts(context, next)),
    items: withItem(next, { current_period_start: start, current_period_end: end }),
    latest_invoice: draft.id,
  });
  const invoice = createInvoice(context, draft);
  if (renewed.pause_collection) voidInvoice(context, invoice);
  advanceSchedule(context, renewed);
}

/** Finalizes a renewal's draft and collects the invoice. While collection is paused, voids the draft instead. */
function advanceInvoice(context: Context, draft: Invoice): void {
  if (getSubscriptionOfInvoice(context, draft).pause_collection) {
    voidInvoice(context, draft);
    return;
  }
  const invoice = finalizeInvoice(context, draft);
  if (invoice.status === 'open') collectInvoice(context, invoice, { isAutomatic: true });
}

function expirePendingUpdate(context: Context, subscription: Subscription): Subscription {
  voidPendingChange(context, subscription.id);
  const type = 'customer.subscription.pending_update_expired';
  return saveSubscription(context, subscription, { type, pending_update: null });
}
