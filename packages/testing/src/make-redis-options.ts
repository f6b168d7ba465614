import { randomBytes } from 'node:crypto';
import type { QueueOptions } from '@uprez/queue/open-queue';
import { inject } from 'vitest';

/** The tests' Redis under a prefix that nobody else has. */
export const makeRedisOptions = (onError: QueueOptions['onError'] = () => {}): QueueOptions => ({
  url: inject('services').redisUrl,
  prefix: `t${randomBytes(6).toString('hex')}`,
  onError,
});
