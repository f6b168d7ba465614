import { limits } from '@uprez/contracts/policy/limits';
import { deleteOldEvents as deleteSome } from '@uprez/db/queries/webhooks/events';
import type { Needs } from '../context.ts';

/** Events per statement. */
const batchSize = 2_000;

/** Delete events and their deliveries at the end of their retention. Returns how many. */
export async function deleteOldEvents(ctx: Needs<'db'>): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await deleteSome(ctx.db, { ageS: limits.eventDays * 86_400, limit: batchSize });
    deleted += count;
    if (count < batchSize) return deleted;
  }
}
