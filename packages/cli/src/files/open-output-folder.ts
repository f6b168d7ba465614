import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';

/** `parts`: folder for incomplete files. */
export type OutputFolder = Awaited<ReturnType<typeof openOutputFolder>>;

export const journalPathOf = (workFolder: string): string => join(workFolder, 'journal.jsonl');

/**
 * Opens and locks an output folder, and creates it if it is missing. Throws CliError if another process is using it.
 */
export async function openOutputFolder(path: string) {
  return { path, ...(await openWorkFolder(join(path, '.uprez'))) };
}

/**
 * Opens and locks the folder that holds an output's journal and incomplete files. Throws CliError if another process is
 * using it.
 */
export async function openWorkFolder(own: string) {
  const parts = join(own, 'parts');
  const lock = join(own, 'lock');
  await mkdir(parts, { recursive: true });
  await acquireLock(lock);
  await rm(parts, { recursive: true, force: true });
  await mkdir(parts);
  const journal = await openJournal(journalPathOf(own));
  return { parts, journal, close: () => rm(lock, { force: true }) };
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

/** A killed process doesn't remove its lock. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

type Entry = {
  idempotencyKey?: string;
  jobId?: string;
  output?: string;
  bytes?: number;
};
/** `forgotten` discards everything recorded earlier about the image. */
type Line = { key: string; source?: string; forgotten?: true } & Entry;
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Opens a journal. The file is append-only, so the next run can read it even if this run is killed while writing. */
export async function openJournal(file: string) {
  const text = await readFile(file, 'utf8').catch(() => '');
  const entries = new Map<string, Entry>();
  for (const line of text.split('\n')) applyLine(entries, line);
  // Starts a new line if the last one is incomplete.
  let gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    find: (key: string): Entry => entries.get(key) ?? {},
    append: async (line: Line) => {
      const json = JSON.stringify(line);
      applyLine(entries, json);
      const written = `${gap}${json}\n`;
      gap = '';
      await appendFile(file, written);
    },
  };
}

function applyLine(entries: Map<string, Entry>, text: string): void {
  const line = parseLine(text);
  if (!line) return;
  const { key, source: _, forgotten, ...entry } = line;
  entries.set(key, forgotten ? entry : { ...entries.get(key), ...entry });
}

function parseLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return typeof line?.key === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}
