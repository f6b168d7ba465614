import { AppError } from '@uprez/contracts/errors/app-error';
import { may } from '@uprez/contracts/policy/may';
import { plans } from '@uprez/contracts/policy/plans';
import { formatBytes } from '@uprez/contracts/texts/format';
import { sumStoredBytes } from '@uprez/db/queries/usage/dashboard';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';

/**
 * Whether an account may store more. What is stored already decides, so uploads at the same time may go past the limit
 * together; the rest waits until something is deleted. Throws `storage_full`.
 */
export async function checkStorage(ctx: Needs<'db'>, { actor: { accountId, tier } }: { actor: Actor }): Promise<void> {
  const stored = may(tier, { what: 'store', bytes: await sumStoredBytes(ctx.db, accountId) });
  if (stored.ok) return;
  const { code, limit, value, unlockedBy } = stored;
  const ways = unlockedBy
    ? `, wait until they expire, or upgrade to ${plans[unlockedBy].name}`
    : ' or wait until they expire';
  throw new AppError(code, {
    detail: `Your ${formatBytes(Number(limit))} of storage is full. Delete results${ways}.`,
    meta: { limit, value, ...(unlockedBy && { unlockedBy }) },
  });
}
