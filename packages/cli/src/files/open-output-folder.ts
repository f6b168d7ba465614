import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import { type Journal, openJournal } from './open-journal.ts';

/** An output folder. `parts`: folder for incomplete files. */
export type OutputFolder = { path: string; parts: string; journal: Journal; close: () => Promise<void> };

export const journalOf = (path: string): string => join(path, '.uprez', 'journal.jsonl');

/** Opens and locks an output folder, and creates it if missing. Throws CliError if another run uses it. */
export async function openOutputFolder(path: string): Promise<OutputFolder> {
  const own = join(path, '.uprez');
  const parts = join(own, 'parts');
  const lock = join(own, 'lock');
  await mkdir(parts, { recursive: true });
  await acquireLock(lock);
  await rm(parts, { recursive: true, force: true });
  await mkdir(parts);
  const journal = await openJournal(journalOf(path));
  return { path, parts, journal, close: () => rm(lock, { force: true }) };
}

async function acquireLock(lock: string): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const error = await writeFile(lock, String(process.pid), { flag: 'wx' }).catch((caught: unknown) => caught);
    if (error === undefined) return;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (!isFirst || isAlive(holder))
      throw new CliError(
        `Another uprez process (PID ${holder}) is using this folder. Wait for it to finish, or choose another folder.`,
        exitCodes.stopped,
      );
    await rm(lock, { force: true });
  }
}

/** Whether a process exists. A killed process leaves its lock behind. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
