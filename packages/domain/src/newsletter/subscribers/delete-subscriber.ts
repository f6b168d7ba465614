import { AppError } from '@uprez/contracts/errors/app-error';
import { deleteSubscriber as deleteRow, lockSubscriber } from '@uprez/db/queries/newsletter/subscribers';
import { isUuid } from '../../actor.ts';
import type { Administrator } from '../../admin/administrator.ts';
import { writeAudited } from '../../admin/payments/write-audited.ts';
import type { Needs } from '../../context.ts';

/** Deletes a subscriber, who can subscribe again. Throws `subscriber_not_found`. */
export const deleteSubscriber = (
  ctx: Needs<'db'>,
  { admin, id }: { admin: Administrator; id: string },
): Promise<void> =>
  writeAudited(ctx, { admin, action: 'subscriber.delete', subject: `subscriber:${id.toLowerCase()}` }, async (tx) => {
    const held = isUuid(id) ? await lockSubscriber(tx, id) : undefined;
    if (!held) throw new AppError('subscriber_not_found');
    await deleteRow(tx, held.id);
    // Without the email address: the audit log outlives subscribers.
    return { result: undefined, before: { state: held.state, topics: held.topics }, after: {} };
  });
