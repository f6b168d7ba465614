import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Takes a lock file for this process, until `release` or its exit; or tells the pid of the living holder. Plain
 * JavaScript, since it runs before anything is installed or built.
 * @param {string} file
 * @returns {{ holder: number } | { holder: undefined, release: () => void }}
 */
export function takeLock(file) {
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
    if (isRunningOurs(pid)) return { holder: pid };
    rmSync(file, { force: true });
  }
}

/** Whether `pid` lives and, where /proc tells, is one of the programs of this folder rather than a later user of the pid. */
function isRunningOurs(pid) {
  // An empty file: its maker is between creating and writing it, or was killed there.
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
