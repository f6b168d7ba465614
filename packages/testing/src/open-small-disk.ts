import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this process can mount file systems, which requires root. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    console.warn('left out: the tests that mount a file system, which only root may do');
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens an in-memory file system, which tests fill and empty. `megabytes`: its size, in MB. */
export async function openSmallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]);
  // Let other users read the folder, which `mkdtemp` created for its owner only.
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  const chunk = Buffer.alloc(1_000_000);
  return {
    folder,
    /** Writes until no space is left. */
    fill: () => {
      const file = openSync(ballast, 'a');
      try {
        for (;;) writeSync(file, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    close: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
