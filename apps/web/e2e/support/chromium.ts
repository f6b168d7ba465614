import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';

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

/** Returns the path of Chromium from CHROMIUM_PATH or PATH. @throws When REQUIRE_BROWSER is set and it is missing. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file));
  if (!found && process.env.REQUIRE_BROWSER) throw new Error('REQUIRE_BROWSER is set, but there is no Chromium.');
  return found;
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox: false, args: chromiumFlags });
