import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { migrate } from '@uprez/db/migrate';
import { hostEnv, isEveryToolRequired } from '@uprez/testing/config';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { expect, it, onTestFinished } from 'vitest';
import { listSchema } from './support/list-schema.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
type Outcome = { reason: string } | { reason?: undefined; commit: string; passed: number; failures: string[] };

/** The tests get the servers and the migrated database of this run from their environment. */
async function testPrevious(databaseUrl: string, signal: AbortSignal): Promise<Outcome> {
  const options = { cwd: root, env: hostEnv, signal, maxBuffer: 2 ** 26 };
  const args = ['infra/local/upgrade/test-previous.mjs', databaseUrl];
  const { stdout } = await promisify(execFile)('node', args, options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

it('a database of the previous version gets the schema of a new one, on which tests of that version pass', async ({
  signal,
  skip,
}) => {
  const upgraded = await openTestDatabase({ empty: true });
  onTestFinished(upgraded.close);
  const outcome = await testPrevious(upgraded.url, signal);
  if (outcome.reason && !isEveryToolRequired) skip(outcome.reason);
  expect(outcome).toMatchObject({ failures: [] });
  await migrate(upgraded.db);
  const created = await openTestDatabase();
  onTestFinished(created.close);
  expect(await listSchema(upgraded.db)).toEqual(await listSchema(created.db));
}, 300_000);
