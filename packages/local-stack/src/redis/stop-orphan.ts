import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../end-process.ts';
import { findProcess } from '../find-process.ts';

/** Returns the file to which the server on `dataDir` writes its pid. */
export function redisPidFile(dataDir: string): string {
  return join(dataDir, 'redis.pid');
}

/** Stops the server that a killed starter left on `dataDir`, found by its pid file and command line. */
export async function stopOrphanRedis(dataDir: string): Promise<void> {
  const file = redisPidFile(dataDir);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  if (findProcess(pid)?.commandLine.includes(`--dir ${dataDir} `)) await endProcess(pid, 'SIGTERM');
  rmSync(file, { force: true });
}
