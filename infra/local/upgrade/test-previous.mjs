// test-previous.mjs DATABASE_URL: migrates an empty database with the previous version, then runs tests of that version from its
// sources, on the servers and the migrated schema of UPREZ_TEST_SERVICES. Prints a line of JSON: `reason`, why there is no
// previous version, or its `commit`, the number of tests that `passed`, and `failures`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, main, rootDir } from '../run.mjs';
import { readReport } from '../tests/report.mjs';
import { extractPrevious } from './extract-previous.mjs';
import { findPrevious } from './find-previous.mjs';

/** A job from its creation to its end, its charge, keys, purchases, and webhooks. Others take longer, or check plans of queries. */
const tests = [
  'packages/domain/test/jobs/job-life.test.ts',
  'packages/domain/test/jobs/leases.test.ts',
  'packages/domain/test/jobs/cancel-charges.test.ts',
  'packages/domain/test/api-key-units.test.ts',
  'packages/domain/test/billing/purchases.test.ts',
  'services/dispatcher/test/job-webhooks.test.ts',
];

const migrateDatabase = `
import { migrate } from '@uprez/db/migrate';
import { openDb } from '@uprez/db/open-db';
const { db, close } = openDb({ url: process.env.DATABASE_URL, poolSize: 2, onError: console.error });
await migrate(db);
await close();`;

/** Creates the tables of the previous version in an empty database. */
async function migrate(folder, databaseUrl) {
  const script = join(folder, 'packages/db/migrate-database.mts');
  writeFileSync(script, migrateDatabase);
  const args = ['--conditions=@uprez/source', script];
  const { code, output } = await capture('node', args, { DATABASE_URL: databaseUrl });
  if (code !== 0) throw new Error(`The previous version can't migrate:\n${output}`);
}

async function runTests(folder) {
  const file = join(folder, 'report.json');
  const args = [
    // Tests must be run by the Vitest that they import.
    ...[join(folder, 'node_modules/vitest/vitest.mjs'), 'run', ...tests, '--root', folder],
    ...['--config', join(rootDir, 'infra/local/upgrade/vitest.config.ts')],
    `--reporter=${join(rootDir, 'infra/local/tests/vitest-reporter.mjs')}`,
  ];
  const { code, output } = await capture('node', args, { UPREZ_TEST_REPORT: file });
  const { passed, notes, files } = readReport(file, 'vitest', code);
  const missing = tests.filter((one) => !files.some(({ name }) => name === one));
  const failures = [...notes, ...missing.map((name) => `${name} did not run`)];
  return { passed, failures, ...(failures.length > 0 && { output: output.slice(-5_000) }) };
}

await main(async () => {
  const { commit, reason } = await findPrevious();
  const folder = mkdtempSync(join(tmpdir(), 'uprez-previous-'));
  try {
    if (commit) {
      await extractPrevious(commit, folder);
      await migrate(folder, process.argv[2]);
    }
    console.log(JSON.stringify(commit ? { commit, ...(await runTests(folder)) } : { reason }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
});
