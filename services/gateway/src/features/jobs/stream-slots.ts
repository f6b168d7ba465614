import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';

/**
 * Counts the open event streams of this gateway. Returns a function that takes a slot, or throws `rate_limited`, and
 * that returns a function to release the slot.
 */
export function makeStreamSlots() {
  const open = new Map<string, number>();
  const add = (key: string, change: number) => {
    const count = (open.get(key) ?? 0) + change;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  };
  return ({ account, address }: { account: string; address: string }) => {
    const counted = [
      { key: `account ${account}`, limit: limits.accountStreams, limitName: 'account_streams' },
      { key: `address ${address}`, limit: limits.addressStreams, limitName: 'address_streams' },
    ] as const;
    for (const { key, limit, limitName } of counted)
      if ((open.get(key) ?? 0) >= limit)
        throw new AppError('rate_limited', {
          detail: `Too many event streams are open. The limit is ${limit}.`,
          meta: { limit, retryAfterS: limits.streamRetrySeconds },
          limitName,
        });
    for (const { key } of counted) add(key, 1);
    return () => {
      for (const { key } of counted) add(key, -1);
    };
  };
}
