import { ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import { deleteTickets, lockOldTickets } from '@uprez/db/queries/inbox/tickets';
import type { Needs } from '../context.ts';

const batchSize = 500;
const dayS = 86_400;

/**
 * Deletes closed tickets and spam at the end of their retention, together with their files. Returns how many tickets
 * were deleted.
 */
export async function deleteOldTickets({ db }: Needs<'db'>): Promise<number> {
  const ages = { closedS: ticketLimits.closedDays * dayS, spamS: ticketLimits.spamDays * dayS };
  for (let deleted = 0; ; ) {
    const found = await db.transaction().execute(async (tx) => {
      const ids = await lockOldTickets(tx, { ...ages, limit: batchSize });
      await deleteTickets(tx, ids);
      return ids.length;
    });
    deleted += found;
    if (found < batchSize) return deleted;
  }
}
