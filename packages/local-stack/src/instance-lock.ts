import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProcess, readText } from './find-process.ts';

/**
 * Acquires the lock file `file` for this process. If the lock's holder is still running, throws an error with its pid.
 * If the holder has exited, takes over the lock, even if another process has reused the holder's pid. `what` starts the
 * error message "... is in use by process 123".
 */
export function acquireLock(file: string, what: string) {
  const content = `${process.pid}\n${findProcess(process.pid)?.startedAt}\n`;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    // link() creates the lock file together with its content, and fails if the file exists.
    while (!tryLink(draft, file)) {
      const found = readText(file);
      if (found === undefined) continue;
      throwIfHeld(found, what, file);
      takeOver(file, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (readText(file) === content) rmSync(file, { force: true });
    },
  };
}

/** Renames the file back if another process has replaced the lock in the meantime. */
function takeOver(file: string, stale: string): void {
  const asidePath = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, asidePath);
  } catch {
    return;
  }
  if (readText(asidePath) !== stale) tryLink(asidePath, file);
  rmSync(asidePath, { force: true });
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

function throwIfHeld(content: string, what: string, file: string): void {
  const [pidText, startedAt] = content.split('\n');
  const pid = Number(pidText);
  if (findProcess(pid)?.startedAt === startedAt) throw new Error(`${what} is in use by process ${pid} (lock: ${file})`);
}
