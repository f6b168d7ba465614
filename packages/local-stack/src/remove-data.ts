import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { relocatedFolder } from './postgres/relocate.ts';
import { stopOrphanPostgres } from './postgres/stop-orphan.ts';
import { stopOrphanRedis } from './redis/stop-orphan.ts';

/** For tests: removes everything that `openPostgres` created for `dataDir`, and stops a server whose starter is gone. */
export async function removePostgresData(dataDir: string): Promise<void> {
  const requested = resolve(dataDir);
  const moved = join(relocatedFolder('data', requested), 'data');
  for (const place of [requested, moved]) {
    await stopOrphanPostgres(place);
    removeWithSiblings(place);
  }
  rmSync(dirname(moved), { recursive: true, force: true });
}

/** For tests: removes everything that `openRedis` created for `dataDir`, and stops a server whose starter is gone. */
export async function removeRedisData(dataDir: string): Promise<void> {
  await stopOrphanRedis(resolve(dataDir));
  removeWithSiblings(resolve(dataDir));
}

function removeWithSiblings(place: string): void {
  for (const suffix of ['', '.new', '.log', '.lock']) rmSync(`${place}${suffix}`, { recursive: true, force: true });
}
