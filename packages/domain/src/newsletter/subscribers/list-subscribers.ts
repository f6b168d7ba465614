import { type SubscriberSort, subscriberSorts } from '@uprez/contracts/policy/newsletter';
import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import type { SubscriberRow } from '@uprez/db/queries/newsletter/subscribers';
import {
  countSubscribers,
  listSubscribers as listRows,
  type SubscriberFilter,
} from '@uprez/db/queries/newsletter/subscribers';
import type { Needs } from '../../context.ts';
import { readAll, readPage, type TablePage, type TableQuery } from '../../read-table.ts';

function presentSubscriber({ createdAt, confirmedAt, endedAt, ...row }: SubscriberRow): Subscriber {
  const { id, email, state, source } = row;
  const isPending = state === 'pending';
  return {
    ...{ id, email, state, source },
    topics: isPending ? row.wantedTopics : row.topics,
    services: isPending ? row.wantedServices : row.services,
    createdAt: createdAt.toISOString(),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

const tableOf = ({ db }: Needs<'db'>, filter: SubscriberFilter) => ({
  list: (page: Omit<Parameters<typeof listRows>[1], keyof SubscriberFilter>) => listRows(db, { ...filter, ...page }),
  count: () => countSubscribers(db, filter),
});

/** A page of the subscribers. Throws `invalid_parameter`. */
export async function listSubscribers(
  ctx: Needs<'db'>,
  { sort = subscriberSorts[0], cursor, limit, ...filter }: SubscriberFilter & TableQuery<SubscriberSort>,
): Promise<TablePage<Subscriber>> {
  const page = await readPage({ list: 'subscribers', sort, cursor, limit }, tableOf(ctx, filter));
  return { ...page, rows: page.rows.map(presentSubscriber) };
}

/** The subscribers of a filter, in parts. Throws `export_too_large`. */
export async function exportSubscribers(
  ctx: Needs<'db'>,
  { sort = subscriberSorts[0], ...filter }: SubscriberFilter & { sort?: SubscriberSort | undefined },
): Promise<AsyncIterable<Subscriber[]>> {
  const pages = await readAll(sort, tableOf(ctx, filter));
  return (async function* presented() {
    for await (const rows of pages) yield rows.map(presentSubscriber);
  })();
}
