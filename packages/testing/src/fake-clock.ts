import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEveryToolRequired } from './config.ts';

/**
 * Returns the path of Debian's libfaketime, or `undefined` if it isn't installed. Throws instead if CI or
 * REQUIRE_TOOLCHAINS is set.
 */
export function findFakeTime(): string | undefined {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu')) : [];
  const files = folders.map((name) => `/usr/lib/${name}/faketime/libfaketimeMT.so.1`);
  const found = files.find((file) => existsSync(file));
  if (found) return found;
  if (isEveryToolRequired) throw new Error('CI or REQUIRE_TOOLCHAINS is set, but libfaketime is not installed');
  console.warn('left out: the tests of clocks, which need libfaketime');
  return undefined;
}

/**
 * Opens a fake system clock for processes. Changes only the wall-clock time, as a clock correction does, and keeps the
 * monotonic clock. `env`: environment variables for a process that uses the fake clock.
 */
export async function openFakeClock(library: string) {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-clock-'));
  const file = join(folder, 'offset');
  /**
   * Sets the offset, in seconds. Writes another file and renames it, because a process must not read half of a value.
   */
  const set = (offsetS: number) => {
    writeFileSync(`${file}.new`, `${offsetS < 0 ? '' : '+'}${offsetS}\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    close: () => rmSync(folder, { recursive: true }),
  };
}
