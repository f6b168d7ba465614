import { AppError } from '@uprez/contracts/errors/app-error';
import { stripeEventSorts } from '@uprez/contracts/policy/billing/admin-payments';
import type { AdminStripeEvent } from '@uprez/contracts/schemas/billing/admin-payments';
import {
  countStripeEvents,
  findStripeEvent,
  type ListedStripeEvent,
  listStripeEvents as listRows,
  retryStripeEvent as retryRow,
} from '@uprez/db/queries/billing/stripe-events';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';
import type { Administrator } from '../administrator.ts';
import { toAccount } from './to-account.ts';
import { writeAudited } from './write-audited.ts';

const stripeEvents = defineTable({
  name: 'stripe-events',
  sorts: stripeEventSorts,
  list: listRows,
  count: countStripeEvents,
  present: (rows) => rows.map(presentStripeEvent),
});

/** Returns a page of events from Stripe. Throws `invalid_parameter`. */
export const listStripeEvents = stripeEvents.page;

/** Streams the events that match a filter, page by page. Throws `export_too_large`. */
export const exportStripeEvents = stripeEvents.export;

/**
 * Makes an event due now, which causes its customer or payment to be read from Stripe again. Throws
 * `stripe_event_not_found`.
 */
export async function retryStripeEvent(
  ctx: Needs<'db'>,
  { admin, id }: { admin: Administrator; id: string },
): Promise<AdminStripeEvent> {
  return await writeAudited(
    ctx,
    { admin, action: 'billing.retry_event', subject: `stripe_event:${id}` },
    async (tx) => {
      const before = await findStripeEvent(tx, id);
      if (!before) throw new AppError('stripe_event_not_found');
      await retryRow(tx, id);
      const after = (await findStripeEvent(tx, id)) ?? before;
      return { result: presentStripeEvent(after), before: { state: before.state }, after: { state: after.state } };
    },
  );
}

const presentStripeEvent = (row: ListedStripeEvent): AdminStripeEvent => ({
  id: row.id,
  type: row.type,
  objectType: row.objectType,
  objectId: row.objectId,
  customerId: row.customerId,
  account: toAccount(row),
  state: row.state,
  error: row.state === 'pending' ? row.error : null,
  createdAt: row.createdAt.toISOString(),
  receivedAt: row.receivedAt.toISOString(),
});
