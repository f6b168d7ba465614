import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { addKeyUnits, findNextMonth, subtractReserved } from '@uprez/db/queries/api-keys/api-key-days';
import { lockApiKey } from '@uprez/db/queries/api-keys/api-keys';

/** Units that a key is about to use for its account. `acceptPartial`: as many as its cap has left, if that is at least one. */
export type KeyUnits = { accountId: string; keyId: string; units: number; acceptPartial?: boolean | undefined };

/**
 * Count units of a key in the transaction that reserves them, before the account's allowances are held; how many. Keys
 * take turns, so that calls at once never pass a cap. Throws `key_cap_exceeded` with what is left and when the cap begins
 * anew, and `bad_api_key` for one that was deleted meanwhile.
 */
export async function takeKeyUnits(tx: Tx, { accountId, keyId, units, acceptPartial }: KeyUnits): Promise<number> {
  const key = await lockApiKey(tx, accountId, keyId);
  if (!key) throw new AppError('bad_api_key');
  const left = key.monthlyCap === null ? units : Math.max(0, key.monthlyCap - key.unitsThisMonth);
  const taken = Math.min(units, left);
  if (taken < units && !(acceptPartial && taken > 0)) {
    const resetsAt = (await findNextMonth(tx)).toISOString();
    throw new AppError('key_cap_exceeded', { meta: { cap: key.monthlyCap, needs: units, have: left, resetsAt } });
  }
  await addKeyUnits(tx, keyId, taken);
  return taken;
}

/** Give back at once what was taken and not used, in the same transaction. */
export const returnKeyUnits = (tx: Tx, keyId: string, units: number): Promise<void> => addKeyUnits(tx, keyId, -units);

/**
 * Give keys back what jobs, or items of batches, were counted for: in the transaction that releases their units, before
 * it holds allowances. Nothing where no key made them.
 */
export const refundKeyUnits = (tx: Tx, ids: readonly string[]): Promise<void> => subtractReserved(tx, ids);
