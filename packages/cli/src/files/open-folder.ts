import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Journal, openJournal } from './journal.ts';

/** A folder of results: `parts` is where files lie until they are whole. */
export type Folder = { path: string; parts: string; journal: Journal; close: () => Promise<void> };

/** Where the journal of a folder of results is. */
export const journalOf = (path: string): string => join(path, '.uprez', 'journal.jsonl');

/** Open a folder for results, made where it is missing. Throws CliError while another run works on it. */
export async function openFolder(path: string): Promise<Folder> {
  const own = join(path, '.uprez');
  const parts = join(own, 'parts');
  const lock = join(own, 'lock');
  await mkdir(parts, { recursive: true });
  await takeLock(lock);
  await rm(parts, { recursive: true, force: true });
  await mkdir(parts);
  const journal = await openJournal(journalOf(path));
  return { path, parts, journal, close: () => rm(lock, { force: true }) };
}

async function takeLock(lock: string): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const error = await writeFile(lock, String(process.pid), { flag: 'wx' }).catch((caught: unknown) => caught);
    if (error === undefined) return;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (!isFirst || isAlive(holder))
      throw new CliError(`Another uprez works on this folder (process ${holder}).`, exitCodes.stopped);
    await rm(lock, { force: true });
  }
}

/** Who was killed left its lock behind. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
