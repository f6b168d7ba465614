import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { relocatedFolder } from './postgres/relocate.ts';
import { stopOrphanPostgres } from './postgres/stop-orphan.ts';
import { stopOrphanRedis } from './redis/stop-orphan.ts';

/** Removes what `openPostgres` made for `dataDir`, wherever it lies, ending a server whose starter is dead. For tests. */
export async function removePostgresData(dataDir: string): Promise<void> {
  const wanted = resolve(dataDir);
  const moved = join(relocatedFolder('data', wanted), 'data');
  for (const place of [wanted, moved]) {
    await stopOrphanPostgres(place);
    removeWithCompanions(place);
  }
  rmSync(dirname(moved), { recursive: true, force: true });
}

/** Removes what `openRedis` made for `dataDir`, ending a server whose starter is dead. For tests. */
export async function removeRedisData(dataDir: string): Promise<void> {
  await stopOrphanRedis(resolve(dataDir));
  removeWithCompanions(resolve(dataDir));
}

function removeWithCompanions(place: string): void {
  for (const suffix of ['', '.new', '.log', '.lock']) rmSync(`${place}${suffix}`, { recursive: true, force: true });
}
