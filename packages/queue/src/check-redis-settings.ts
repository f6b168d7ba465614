import type { Redis } from 'ioredis';

/**
 * Throws an error that names the setting with which Redis may lose keys: an eviction policy, or no append-only file. Reads
 * INFO, because managed servers don't offer CONFIG. Passes while Redis can't be reached.
 */
export async function checkRedisSettings(connection: Redis): Promise<void> {
  const info = await connection.info().catch(() => undefined);
  if (info === undefined) return;
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  if (policy !== 'noeviction') throw new Error(`maxmemory-policy is ${policy}, and must be noeviction`);
  if (!/^aof_enabled:1/m.test(info)) throw new Error('appendonly is no, and must be yes');
}
