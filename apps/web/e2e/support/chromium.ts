import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';

/** Chromium without a window system, which takes a third less time per page. */
const shell = 'chromium-headless-shell';
const names = ['chromium', 'chromium-browser', 'google-chrome'];
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/**
 * Returns the path of Chromium from CHROMIUM_PATH or PATH. @throws When REQUIRE_BROWSER is set and Chromium is missing.
 */
export const findChromium = (): string | undefined => findProgram([shell, ...names]);

function findProgram(names: readonly string[]): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => existsSync(file));
  if (!found && process.env.REQUIRE_BROWSER) throw new Error('REQUIRE_BROWSER is set, but there is no Chromium.');
  return found;
}

/** Starts the full browser that users have, for benchmarks. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findProgram(names) ?? '', chromiumSandbox: false, args: chromiumFlags });
