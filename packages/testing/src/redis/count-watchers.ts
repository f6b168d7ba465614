import { Redis } from 'ioredis';
import type { TestContext } from '../open-test-context.ts';

/** How many connections to Redis listen for the changes of an account's jobs. */
export async function countWatchers({ redis }: Pick<TestContext, 'redis'>, accountId: string): Promise<number> {
  const client = new Redis(redis.url);
  const [, count] = await client.pubsub('NUMSUB', `${redis.prefix}:jobs:${accountId}`);
  client.disconnect();
  return Number(count);
}
