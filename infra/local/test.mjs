// npm test: builds and runs the tests; the last line is "N passed, N failed".
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { acquireLock } from './lock.mjs';
import { capture, main, rootDir, run } from './run.mjs';
import { addReports, formatReport, makeFailure, readReport } from './tests/report.mjs';
import { selectBuild, selectTests } from './tests/select-tests.mjs';
import { readSuites, recordSuites } from './tests/suites.mjs';
import { formatTimes, openTimes } from './tests/times.mjs';

const usage = `Usage: npm test [-- [PATTERN...] [options]]
  PATTERN                 only files with this text in their path
  -t, --name TEXT         only tests with this text in their title
  --project NAME          unit, integration, component, or browser; may be repeated
  --full                  all tests, with more crashes and more generated requests
  --times                 prints where the time went
  --with CHECK            runs verify or audit beside the tests; its failure counts as one; may be repeated
Without PATTERN, slow tests for which nothing has changed since they passed are left out; with CI_LANES=all, all tests run.`;

const options = {
  name: { type: 'string', short: 't' },
  project: { type: 'string', multiple: true },
  full: { type: 'boolean', default: false },
  times: { type: 'boolean', default: false },
  with: { type: 'string', multiple: true, default: [] },
};
/** What may run beside the tests. */
const checks = ['verify', 'audit'];
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
async function runRunner(runner, args, { values, reportDir, left }) {
  const file = join(reportDir, `${runner}.json`);
  const env = {
    TEST_SEED: seed,
    UPREZ_TEST_REPORT: file,
    UPREZ_TEST_OPENED: join(reportDir, opened),
    ...(values.full && { UPREZ_FULL: '1' }),
    ...(left.length > 0 && { UPREZ_UNCHANGED_TESTS: left.join(',') }),
  };
  const reporter = join(rootDir, `infra/local/tests/${runner}-reporter.mjs`);
  const command = runner === 'vitest' ? 'vitest' : 'apps/web/node_modules/.bin/playwright';
  return readReport(file, runner, await measure(runner, () => run(command, args(reporter), env)));
}

/** Runs a check. Its output is printed as a whole, or is part of the failure. */
async function runCheck(name, isBuilt) {
  const args = name === 'verify' && isBuilt ? ['--built'] : [];
  const { code, output } = await measure(name, () => capture('node', [`infra/local/${name}.mjs`, ...args]));
  if (code !== 0) return [makeFailure(`FAILED npm run ${name}\n${output.trimEnd()}`)];
  console.log(output.trimEnd());
  return [];
}

/** @type {import('./tests/report.mjs').Report} */
const empty = { passed: 0, failed: 0, skipped: 0, notes: [], files: [] };

async function runTests({ values, positionals: patterns }) {
  const unknown = values.with.find((name) => !checks.includes(name));
  if (unknown) throw new Error(`unknown check: ${unknown}\n${usage}`);
  // Tests by title don't record a suite.
  const suites = patterns.length > 0 && values.name ? [] : readSuites();
  const isAll = patterns.length > 0 || values.full || process.env.CI_LANES === 'all';
  const unchanged = isAll ? [] : suites.filter(({ isUnchanged }) => isUnchanged);
  const left = unchanged.flatMap(({ tests }) => tests);
  const selected = selectTests(patterns, values.project, left);
  const projects = Object.keys(selected);
  if (projects.length === 0) return makeFailure(`no test file contains ${patterns.join(' or ')} in its path`);
  const reportDir = mkdtempSync(join(tmpdir(), 'uprez-report-'));
  const context = { values, reportDir, left };
  try {
    const wanted = values.with.includes('verify') ? 'all' : selectBuild(selected);
    const buildError = await measure('build', () => build(wanted)).catch((error) => error);
    const checked = Promise.all(values.with.map((name) => runCheck(name, !buildError)));
    if (buildError)
      return addReports(makeFailure(buildError.message), (await checked).flat().reduce(addReports, empty));
    let report = empty;
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
    report = (await checked).flat().reduce(addReports, report);
    if (!title) recordSuites(suites, report.files);
    for (const { name, tests } of unchanged)
      console.log(`not run, since nothing has changed since they passed: ${name} (${tests.length} files)`);
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
  const report = await runTests(given).catch((error) => makeFailure(error.message));
  console.log(`random seed ${seed} (repeat this run with TEST_SEED=${seed})`);
  if (given.positionals.includes(scenario) && !process.env.TEST_STRIPE_KEY)
    console.log('TEST_STRIPE_KEY is not set: not run on a sandbox.');
  console.log(formatReport(report));
  return report.failed > 0 || report.passed === 0 ? 1 : 0;
});
