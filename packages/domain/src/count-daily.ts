import { AppError } from '@uprez/contracts/errors/app-error';
import { type DailyLimitName, getMaxDailyImages } from '@uprez/contracts/policy/daily-limits';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { formatCount, formatWait } from '@uprez/contracts/texts/format';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { listOpenAllowances } from '@uprez/db/queries/usage/allowances';
import { addToDailyCount, readDailyCount } from '@uprez/db/queries/usage/daily-counts';
import { type Actor, isSandbox } from './actor.ts';

const facts: Record<DailyLimitName, { what: string; limitName: LimitName }> = {
  images: { what: 'images', limitName: 'daily_images' },
  sandbox_images: { what: 'sandbox images', limitName: 'daily_sandbox_images' },
  api_keys: { what: 'new API keys', limitName: 'daily_api_keys' },
  webhook_tests: { what: 'test events', limitName: 'daily_webhook_tests' },
};

type Counted = { accountId: string; name: DailyLimitName; max: number };
type ImageOwner = Pick<Actor, 'accountId' | 'plan' | 'key'>;
type Creation = 'one' | 'batch' | 'retry';

/**
 * Counts one item toward an account's daily limit (UTC). Throws `rate_limited` with the seconds until the next day if
 * the limit has been reached.
 */
export async function consumeDailyLimit(tx: Tx, counted: Counted): Promise<void> {
  if (!(await addToDailyCount(tx, { ...counted, units: 1 }))) throw await dayIsFull(tx, counted);
}

/**
 * Counts images toward an account's daily limit (UTC), before any of them is inserted. Sandbox images are counted
 * separately. If the limit would be exceeded, throws `rate_limited` with the seconds until the next day and how many
 * images are left.
 */
export async function countDailyImages(
  tx: Tx,
  owner: ImageOwner,
  { images, creation }: { images: number; creation: Creation },
): Promise<void> {
  const counted = { accountId: owner.accountId, name: countOf(owner), units: images };
  if (await addToDailyCount(tx, { ...counted, max: getMaxDailyImages(owner.plan) })) return;
  const max = await readMaxImages(tx, owner);
  if (!(await addToDailyCount(tx, { ...counted, max }))) throw await dayIsFull(tx, { ...counted, max }, creation);
}

/**
 * Throws the error of `countDailyImages` if not even one more image can be created. Saves the work of preparing an
 * image that would be rejected.
 */
export async function requireDailyImage(db: DbOrTx, owner: ImageOwner): Promise<void> {
  const { accountId } = owner;
  const name = countOf(owner);
  const { count } = await readDailyCount(db, { accountId, name });
  if (count < getMaxDailyImages(owner.plan)) return;
  const max = await readMaxImages(db, owner);
  if (count >= max) throw await dayIsFull(db, { accountId, name, max });
}

const countOf = (owner: ImageOwner): DailyLimitName => (isSandbox(owner) ? 'sandbox_images' : 'images');

/**
 * Returns the daily limit for images. Images that were bought or granted in addition to the plan may all be created in
 * one day.
 */
async function readMaxImages(db: DbOrTx, owner: ImageOwner): Promise<number> {
  const included = getMaxDailyImages(owner.plan);
  if (isSandbox(owner)) return included;
  const others = (await listOpenAllowances(db, owner.accountId)).filter(({ source }) => source !== 'plan');
  return others.reduce((sum, { units, reversed }) => sum + units - reversed, included);
}

async function dayIsFull(db: DbOrTx, { max, ...counted }: Counted, creation: Creation = 'one'): Promise<AppError> {
  const { what, limitName } = facts[counted.name];
  const { count, secondsLeft: retryAfterS } = await readDailyCount(db, counted);
  const left = Math.max(0, max - count);
  const [limit, wait] = [`the daily limit of ${formatCount(max)} ${what}`, formatWait(retryAfterS)];
  const rest = `would exceed ${limit}, of which ${formatCount(left)} remain.`;
  const details: Record<Creation, string> = {
    one: `You've reached ${limit}. Try again ${wait}.`,
    batch: `This batch ${rest} Use a smaller batch, or try again ${wait}.`,
    retry: `This retry ${rest} Try again ${wait}.`,
  };
  const detail = details[left > 0 ? creation : 'one'];
  return new AppError('rate_limited', { detail, meta: { limit: max, left, retryAfterS }, limitName });
}
