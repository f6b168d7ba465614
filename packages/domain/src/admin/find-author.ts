import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '@uprez/db/database';
import { findLatestChange } from '@uprez/db/queries/audit/list-audits';

/** `fields`: the present values of what the actions change. */
type Change = { userId: string; actions: readonly string[]; fields: Record<string, unknown> };

/** Which administrator gave a user these values, and when. Null if it was somebody else, such as the user or Stripe. */
export async function findAuthor(tx: Tx, { userId, actions, fields }: Change) {
  const last = await findLatestChange(tx, { subject: `user:${userId}`, actions });
  const after = (last?.after ?? {}) as Record<string, unknown>;
  const isPresent = Object.entries(after).every(([name, value]) => isDeepStrictEqual(value, fields[name] ?? null));
  return last?.email && isPresent
    ? { by: last.email, at: last.createdAt.toISOString() }
    : ({ by: null, at: null } as const);
}
