import { randomBytes } from 'node:crypto';
import type { QueueOptions } from '@uprez/queue/open-queue';
import { getServices } from '../provided-services.ts';

/** The tests' Redis under a prefix that nobody else has. */
export const makeRedisOptions = (onError: QueueOptions['onError'] = () => {}): QueueOptions => ({
  url: getServices().redisUrl,
  prefix: `t${randomBytes(6).toString('hex')}`,
  onError,
});
