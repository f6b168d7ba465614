import { AppError } from '@uprez/contracts/errors/app-error';
import { type StripeEventSort, stripeEventSorts } from '@uprez/contracts/policy/billing/admin-payments';
import type { AdminStripeEvent } from '@uprez/contracts/schemas/billing/admin-payments';
import {
  countStripeEvents,
  findStripeEvent,
  type ListedStripeEvent,
  listStripeEvents as listRows,
  retryStripeEvent as retryRow,
  type StripeEventFilter,
} from '@uprez/db/queries/billing/stripe-events';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import type { Administrator } from '../administrator.ts';
import { toAccount } from './to-account.ts';
import { writeAudited } from './write-audited.ts';

const makeTableSource = ({ db }: Needs<'db'>, filter: StripeEventFilter) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, { ...filter, ...page }),
  count: () => countStripeEvents(db, filter),
});

/** Returns a page of events from Stripe. Throws `invalid_parameter`. */
export async function listStripeEvents(
  ctx: Needs<'db'>,
  { sort = stripeEventSorts[0], cursor, limit, ...filter }: StripeEventFilter & TableQuery<StripeEventSort>,
): Promise<TablePage<AdminStripeEvent>> {
  const page = await readPage({ list: 'stripe-events', sort, cursor, limit }, makeTableSource(ctx, filter));
  return { ...page, rows: page.rows.map(presentStripeEvent) };
}

/** Streams the events that match a filter, page by page. Throws `export_too_large`. */
export async function exportStripeEvents(
  ctx: Needs<'db'>,
  { sort = stripeEventSorts[0], ...filter }: StripeEventFilter & { sort?: StripeEventSort | undefined },
): Promise<AsyncIterable<AdminStripeEvent[]>> {
  const pages = await readAll(sort, makeTableSource(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentStripeEvent);
  })();
}

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
