import { AppError } from '@uprez/contracts/app-error';
import type { Tx } from '@uprez/db/database';
import { addKeyUnits, findNextMonth, subtractJobUnits } from '@uprez/db/queries/api-key-days';
import { lockApiKey } from '@uprez/db/queries/api-keys';

/** Units that a key is about to use for its account. */
export type KeyUnits = { accountId: string; keyId: string; units: number };

/**
 * Count units of a key in the transaction that reserves them; keys take turns, so that calls at once never pass a cap.
 * Throws `key_cap_exceeded` with what is left and when the cap begins anew, and `bad_api_key` for one that was deleted
 * meanwhile.
 */
export async function takeKeyUnits(tx: Tx, { accountId, keyId, units }: KeyUnits): Promise<void> {
  const key = await lockApiKey(tx, accountId, keyId);
  if (!key) throw new AppError('bad_api_key');
  const left = key.monthly_cap === null ? undefined : Math.max(0, key.monthly_cap - key.unitsThisMonth);
  if (left !== undefined && units > left) {
    const resetsAt = (await findNextMonth(tx)).toISOString();
    throw new AppError('key_cap_exceeded', { meta: { cap: key.monthly_cap, needs: units, have: left, resetsAt } });
  }
  await addKeyUnits(tx, keyId, units);
}

/** Give a key back what a job was counted for, in the transaction that releases it; nothing where no key made the job. */
export const giveBackKeyUnits = (tx: Tx, jobId: string, units: number): Promise<void> =>
  subtractJobUnits(tx, jobId, units);
