import { existsSync, readFileSync, rmSync } from 'node:fs';
import { endProcess } from './end-process.ts';
import { findProcess } from './find-process.ts';

/**
 * Ends the service that a killed starter left behind, found by its pid file and only if that pid still runs `file`.
 * Returns the pid it ended.
 */
export async function stopOrphanService(pidFile: string, file: string): Promise<number | undefined> {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isOurs = findProcess(pid)?.commandLine.includes(` ${file} `) ?? false;
  if (isOurs) await endProcess(pid, 'SIGTERM');
  rmSync(pidFile, { force: true });
  return isOurs ? pid : undefined;
}
