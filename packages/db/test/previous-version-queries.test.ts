import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hostEnv, isEveryToolRequired } from '@uprez/testing/config';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
type Outcome = { reason: string } | { reason?: undefined; commit: string; passed: number; failures: string[] };

/** The tests get the servers and the migrated database of this run from their environment. */
async function testPrevious(signal: AbortSignal): Promise<Outcome> {
  const options = { cwd: root, env: hostEnv, signal, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)('node', ['infra/local/upgrade/test-previous.mjs'], options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

it('the tests of jobs, keys, purchases, and webhooks of the previous version pass on this schema', async ({
  signal,
  skip,
}) => {
  const outcome = await testPrevious(signal);
  if (outcome.reason && !isEveryToolRequired) skip(outcome.reason);
  expect(outcome).toMatchObject({ failures: [] });
}, 300_000);
