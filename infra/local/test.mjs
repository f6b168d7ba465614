// npm test: installs, builds, and runs the tests; the last line is "N passed, N failed".
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install } from './install.mjs';
import { acquireLock } from './lock.mjs';
import { main, rootDir, run } from './run.mjs';
import { addReports, formatReport, makeFailure, readReport } from './tests/report.mjs';
import { selectBuild, selectTests } from './tests/select-tests.mjs';
import { formatTimes, openTimes } from './tests/times.mjs';

const usage = `Usage: npm test [-- [PATTERN...] [options]]
  PATTERN                 only files with this text in their path
  -t, --name TEXT         only tests with this text in their title
  --project NAME          unit, integration, or browser; may be repeated
  --full                  more crashes and more generated requests
  --times                 prints where the time went`;

const options = {
  name: { type: 'string', short: 't' },
  project: { type: 'string', multiple: true },
  full: { type: 'boolean', default: false },
  times: { type: 'boolean', default: false },
};
/** What `npm run test:stripe` selects. */
const scenario = 'stripe/scenario';
const seed = process.env.TEST_SEED || String(randomInt(2 ** 31));
const { phases, measure } = openTimes();
/** The file that lists what tests open, such as databases. */
const opened = 'opened';

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new Error(`${error.message}\n${usage}`);
  }
}

/** Runs a test runner with our reporter and returns the report. */
async function runRunner(runner, args, { values, reportDir }) {
  const file = join(reportDir, `${runner}.json`);
  const env = {
    TEST_SEED: seed,
    UPREZ_TEST_REPORT: file,
    UPREZ_TEST_OPENED: join(reportDir, opened),
    ...(values.full && { UPREZ_FULL: '1' }),
  };
  const reporter = join(rootDir, `infra/local/tests/${runner}-reporter.mjs`);
  const command = runner === 'vitest' ? 'vitest' : 'apps/web/node_modules/.bin/playwright';
  return readReport(file, runner, await measure(runner, () => run(command, args(reporter), env)));
}

async function runTests({ values, positionals: patterns }) {
  const selected = selectTests(patterns, values.project);
  const projects = Object.keys(selected);
  if (projects.length === 0) return makeFailure(`no test file contains ${patterns.join(' or ')} in its path`);
  const reportDir = mkdtempSync(join(tmpdir(), 'uprez-report-'));
  const context = { values, reportDir };
  try {
    await measure('build', () => build(selectBuild(selected)));
    let report = { passed: 0, failed: 0, skipped: 0, notes: [], files: [] };
    const inVitest = projects.filter((project) => project !== 'browser').map((project) => `--project=${project}`);
    // Both runners take a pattern.
    const title = values.name?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    if (inVitest.length > 0) {
      const args = (reporter) => ['run', '--reporter=default', `--reporter=${reporter}`, ...inVitest, ...patterns];
      report = await runRunner('vitest', (path) => [...args(path), ...(title ? ['-t', title] : [])], context);
    }
    if (selected.browser) {
      const config = ['test', '--config=apps/web/playwright.config.ts', '--pass-with-no-tests'];
      const filters = [...patterns, ...(title ? ['--grep', title] : [])];
      const args = (reporter) => [...config, `--reporter=list,${reporter}`, ...filters];
      report = addReports(report, await runRunner('playwright', args, context));
    }
    if (values.times) console.log(formatTimes({ phases, files: report.files, countsFile: join(reportDir, opened) }));
    return report;
  } finally {
    rmSync(reportDir, { recursive: true });
  }
}

await main(async () => {
  const given = readArguments();
  const { holder } = acquireLock(join(rootDir, '.data/test.lock'));
  if (holder) throw new Error(`the tests of this checkout are already running (process ${holder})`);
  const report = await measure('install', install)
    .then(() => runTests(given))
    .catch((error) => makeFailure(error.message));
  console.log(`random seed ${seed} (repeat this run with TEST_SEED=${seed})`);
  if (given.positionals.includes(scenario) && !process.env.TEST_STRIPE_KEY)
    console.log('TEST_STRIPE_KEY is not set: not run on a sandbox.');
  console.log(formatReport(report));
  return report.failed > 0 || report.passed === 0 ? 1 : 0;
});
