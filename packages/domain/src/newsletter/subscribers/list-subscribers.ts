import { subscriberSorts } from '@uprez/contracts/policy/newsletter';
import type { Subscriber } from '@uprez/contracts/schemas/newsletter/subscribers';
import {
  countSubscribers,
  deleteSubscriber as deleteRow,
  listSubscribers as listRows,
  lockSubscriber,
  type SubscriberRow,
} from '@uprez/db/queries/newsletter/subscribers';
import { getByUuid } from '../../actor.ts';
import type { Administrator } from '../../admin/administrator.ts';
import { writeAudited } from '../../admin/payments/write-audited.ts';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';

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

const subscribers = defineTable({
  name: 'subscribers',
  sorts: subscriberSorts,
  list: listRows,
  count: countSubscribers,
  present: (rows) => rows.map(presentSubscriber),
});

/** Returns a page of subscribers. Throws `invalid_parameter`. */
export const listSubscribers = subscribers.page;

/** Yields the subscribers that match a filter, in pages. Throws `export_too_large`. */
export const exportSubscribers = subscribers.export;

/** Deletes a subscriber, who can subscribe again later. Throws `subscriber_not_found`. */
export const deleteSubscriber = (
  ctx: Needs<'db'>,
  { admin, id }: { admin: Administrator; id: string },
): Promise<void> =>
  writeAudited(ctx, { admin, action: 'subscriber.delete', subject: `subscriber:${id.toLowerCase()}` }, async (tx) => {
    const held = await getByUuid(id, () => lockSubscriber(tx, id), 'subscriber_not_found');
    await deleteRow(tx, held.id);
    // The email address is left out, because audit log entries outlive subscribers.
    return { result: undefined, before: { state: held.state, topics: held.topics }, after: {} };
  });
