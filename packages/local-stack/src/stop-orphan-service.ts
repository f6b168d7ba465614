import { existsSync, readFileSync, rmSync } from 'node:fs';
import { endProcess } from './end-process.ts';
import { findProcess } from './find-process.ts';

/**
 * Ends the process that a killed starter left behind, found by its pid file, if it still runs a program whose path
 * begins with `program`. Returns the pid that it ended.
 */
export async function stopOrphanService(pidFile: string, program: string): Promise<number | undefined> {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isOurs = findProcess(pid)?.commandLine.includes(` ${program}`) ?? false;
  if (isOurs) await endProcess(pid, 'SIGTERM');
  rmSync(pidFile, { force: true });
  return isOurs ? pid : undefined;
}
