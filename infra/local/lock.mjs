import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Acquires a lock file until `release` is called or this process exits, or returns the pid of the process that holds it.
 * In JavaScript, because it runs before anything is installed or built.
 * @param {string} file
 * @returns {{ holder: number } | { holder: undefined, release: () => void }}
 */
export function acquireLock(file) {
  mkdirSync(dirname(file), { recursive: true });
  for (;;) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
      const release = () => {
        process.off('exit', release);
        rmSync(file, { force: true });
      };
      process.on('exit', release);
      return { holder: undefined, release };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const pid = Number(readFileSync(file, 'utf8'));
    if (isRunning(pid)) return { holder: pid };
    rmSync(file, { force: true });
  }
}

/** Tells whether `pid` runs. On Linux it must run a program of this folder: a pid may be reused. */
function isRunning(pid) {
  // The file is empty: its creator was killed before it wrote the pid.
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('infra/local/');
  } catch {
    return true;
  }
}
