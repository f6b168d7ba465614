import { limits } from '@uprez/contracts/policy/limits';
import { takeItemToFetch as takeRow } from '@uprez/db/queries/jobs/items-to-fetch';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { getBatchItem, type OwnItem } from './get-batch.ts';

/** `isLast`: another failure is final. */
export type ToFetch = { actor: Actor; own: OwnItem; url: string; isLast: boolean };

const perAccount = 2;
/** Longer than fetching and inspecting an image takes. */
const leaseS = 2 * limits.fetchSeconds;

/** Take an item whose image must be fetched. Undefined when there is none. */
export async function takeItemToFetch(ctx: Needs<'db'>): Promise<ToFetch | undefined> {
  const item = await takeRow(ctx.db, { leaseS, perAccount });
  if (!item) return undefined;
  const { accountId, tier, apiKeyId, isSandbox, batchId: id, id: itemId } = item;
  const actor: Actor = { accountId, tier, ...(apiKeyId !== null && { key: { id: apiKeyId, isSandbox } }) };
  const own = await getBatchItem(ctx, { actor, id, itemId });
  return { actor, own, url: item.imageUrl, isLast: item.fetches >= limits.itemFetches };
}
