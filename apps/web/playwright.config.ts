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
  // On two cores, three workers take about as long, and pages fall behind.
  workers: 2,
  // Limits a test that hangs. The longest take a fourth of it on a quiet machine.
  timeout: 300_000,
  // As long as the timeouts below. On a busy machine, a page may fetch a list again, or need half a minute for a large
  // list.
  expect: { timeout: 60_000 },
  use: {
    launchOptions: { ...(executablePath && { executablePath }), chromiumSandbox: false, args: chromiumFlags },
    // Rendering animation frames would take part of a small machine's capacity. Most users see animations, but no test
    // is about them.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // Recording frames of every test would take half of a small machine's capacity, and page snapshots a tenth.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
  },
});
