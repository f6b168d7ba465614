import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../end-process.ts';
import { findProcess } from '../find-process.ts';

/**
 * Stops the server that a killed starter left on `dataDir`, found by postmaster.pid and its command line. If the pid belongs
 * to another program now, removes the file, because PostgreSQL would refuse to start.
 */
export async function stopOrphanPostgres(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined) return;
  if (findProcess(pid)?.commandLine.includes(`-D ${dataDir} `)) await endProcess(pid, 'SIGINT');
  else rmSync(pidFile, { force: true });
}

function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}
