import { limits } from '@uprez/contracts/policy/limits';
import { deleteOldEvents as deleteSome } from '@uprez/db/queries/webhooks/events';
import type { Needs } from '../context.ts';

/** Events of one statement, so that none takes long. */
const together = 2_000;

/** Forget events, and what was delivered of them, once their days are over. Answers how many. */
export async function deleteOldEvents(ctx: Needs<'db'>): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await deleteSome(ctx.db, { ageS: limits.eventDays * 86_400, limit: together });
    deleted += count;
    if (count < together) return deleted;
  }
}
