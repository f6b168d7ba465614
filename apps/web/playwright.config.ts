import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { chromiumFlags, findChromium } from './e2e/support/chromium.ts';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const executablePath = findChromium();
if (!executablePath) console.warn('The browser tests are skipped: there is no Chromium.');

export default defineConfig({
  testDir: 'e2e',
  testIgnore: executablePath ? [] : '**',
  outputDir: fromHere('../../.data/playwright'),
  globalSetup: fromHere('../../packages/testing/src/global-setup.ts'),
  // On two cores, three workers take about as long as two, but pages respond more slowly.
  workers: 2,
  // Stops tests that hang. On an idle machine, the longest tests take a quarter of this time.
  timeout: 300_000,
  // The same as the timeouts below. On a busy machine, a page may have to fetch a list again, or may take half a minute
  // to show a large list.
  expect: { timeout: 60_000 },
  use: {
    launchOptions: { ...(executablePath && { executablePath }), chromiumSandbox: false, args: chromiumFlags },
    // Disables animations. Rendering their frames would slow down a small machine, and the tests don't check them.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Recording frames of every test would take half of a small machine's capacity, and page snapshots a tenth.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
  },
});
