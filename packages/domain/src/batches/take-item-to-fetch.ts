import { limits } from '@uprez/contracts/policy/limits';
import { takeItemToFetch as takeRow } from '@uprez/db/queries/jobs/items-to-fetch';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { getBatchItem, type OwnItem } from './get-batch.ts';

/** `isLast`: what goes wrong now ends it. */
export type ToFetch = { actor: Actor; own: OwnItem; url: string; isLast: boolean };

const perAccount = 2;
/** Longer than fetching and looking at an image takes: after that whoever took it is gone. */
const leaseS = 2 * limits.fetchSeconds;

/** Take an item of a batch whose image is to be fetched; undefined when there is none, or others are at all of them. */
export async function takeItemToFetch(ctx: Needs<'db'>): Promise<ToFetch | undefined> {
  const item = await takeRow(ctx.db, { leaseS, perAccount });
  if (!item) return undefined;
  const { accountId, tier, apiKeyId, isSandbox, batchId: id, id: itemId } = item;
  const actor: Actor = { accountId, tier, ...(apiKeyId !== null && { key: { id: apiKeyId, isSandbox } }) };
  const own = await getBatchItem(ctx, { actor, id, itemId });
  return { actor, own, url: item.imageUrl, isLast: item.fetches >= limits.itemFetches };
}
