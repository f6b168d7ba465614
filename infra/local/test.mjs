// npm test: installs, builds and runs every test; its last line is "N passed, N failed". Arguments go to vitest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests } from './count-tests.mjs';
import { build, install } from './install.mjs';
import { takeLock } from './lock.mjs';
import { main, rootDir, run } from './run.mjs';

const args = process.argv.slice(2).filter((arg) => arg !== '--full');
const isFull = args.length < process.argv.length - 2;

/** Runs vitest and counts. An installation or a build that fails is told as one failure. */
async function runTests() {
  const reportDir = mkdtempSync(join(tmpdir(), 'uprez-report-'));
  try {
    await install();
    await build();
    const report = join(reportDir, 'vitest.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await run('vitest', ['run', ...reporters, ...args], isFull ? { UPREZ_FULL: '1' } : {});
    return countTests(report, code);
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, notes: [error.message] };
  } finally {
    rmSync(reportDir, { recursive: true });
  }
}

await main(async () => {
  const { holder } = takeLock(join(rootDir, '.data/test.lock'));
  if (holder) throw new Error(`the tests of this checkout are already running (process ${holder})`);
  const { passed, failed, skipped, notes } = await runTests();
  for (const note of notes) console.error(note);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 || passed === 0 ? 1 : 0;
});
