import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProcess } from './find-process.ts';

export interface InstanceLock {
  release(): void;
}

/**
 * Takes the lock file `file` for this process, or throws an error that names the pid of the living holder.
 * A file whose holder is dead (pid gone, or used again by a process with another start time) is taken over.
 * `what` begins the sentence "... is in use by process 123".
 */
export function acquireLock(file: string, what: string): InstanceLock {
  const mine = describeSelf();
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    // link() creates name and content in one step and fails when the name exists: no reader ever sees half a lock.
    while (!tryLink(draft, file)) {
      const found = readText(file);
      if (found === undefined) continue;
      refuseIfAlive(found, what, file);
      takeOver(file, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (readText(file) === mine) rmSync(file, { force: true });
    },
  };
}

/** Clears the file of a dead holder by rename, and puts back what it took if someone else was faster and is alive. */
function takeOver(file: string, stale: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (readText(aside) !== stale) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function refuseIfAlive(content: string, what: string, file: string): void {
  const [pidText, startedAt] = content.split('\n');
  const pid = Number(pidText);
  if (findProcess(pid)?.startedAt === startedAt) throw new Error(`${what} is in use by process ${pid} (lock: ${file})`);
}

function describeSelf(): string {
  return `${process.pid}\n${findProcess(process.pid)?.startedAt}\n`;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
