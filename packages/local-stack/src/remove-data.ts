import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stopOrphan } from './find-process.ts';
import { postgresOrphan } from './open-postgres.ts';
import { identifyRedisOrphan } from './open-redis.ts';
import { relocatedFolder } from './place-cluster.ts';

/**
 * For tests: stops a server that a killed starter left behind, and removes everything that `openPostgres` created for
 * `dataDir`.
 */
export async function removePostgresData(dataDir: string): Promise<void> {
  const requested = resolve(dataDir);
  const relocatedDir = join(relocatedFolder('data', requested), 'data');
  for (const place of [requested, relocatedDir]) {
    await stopOrphan({ ...postgresOrphan(place), signal: 'SIGINT' });
    removeWithSiblings(place);
  }
  rmSync(dirname(relocatedDir), { recursive: true, force: true });
}

/**
 * For tests: stops a server that a killed starter left behind, and removes everything that `openRedis` created for
 * `dataDir`.
 */
export async function removeRedisData(dataDir: string): Promise<void> {
  await stopOrphan({ ...identifyRedisOrphan(resolve(dataDir)), signal: 'SIGTERM' });
  removeWithSiblings(resolve(dataDir));
}

function removeWithSiblings(place: string): void {
  for (const suffix of ['', '.new', '.log', '.lock']) rmSync(`${place}${suffix}`, { recursive: true, force: true });
}
