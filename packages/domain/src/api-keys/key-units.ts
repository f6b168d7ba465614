import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { addKeyUnits, findNextMonth, lockApiKey } from '@uprez/db/queries/api-keys/api-keys';

/** Units that a key is about to use for its account. `acceptPartial`: as many as its cap has left, if that is at least one. */
type KeyUnits = { accountId: string; keyId: string; units: number; acceptPartial?: boolean | undefined };

/** Count units of a key; returns how many. Call it before the allowances are locked. Throws `key_cap_exceeded`. */
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
