// npm run test:s3: runs the tests of storage and of a job on an S3 server that checks signatures: OpenStack Swift, or the one of
// TEST_S3_ENDPOINT. The last line is "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { main, run } from './run.mjs';
import { startSwift } from './s3/start-swift.mjs';

const required = [
  'TEST_S3_ENDPOINT',
  'TEST_S3_ACCESS_KEY_ID',
  'TEST_S3_SECRET_ACCESS_KEY',
  'TEST_S3_STRANGER_ACCESS_KEY_ID',
  'TEST_S3_STRANGER_SECRET_ACCESS_KEY',
];

/** Runs the tests on the server in the environment, or on a new Swift. Its processes end with this one. */
async function testS3() {
  const missing = required.filter((name) => !process.env[name]);
  if (missing.length === 0) return runTests({});
  if (process.env.TEST_S3_ENDPOINT) throw new Error(`TEST_S3_ENDPOINT also needs ${missing.join(', ')}`);
  installSwift();
  const swift = await startSwift();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => swift.close().finally(() => process.exit(1)));
  try {
    const { endpoint, owner, stranger } = swift;
    const values = [endpoint, owner.id, owner.secret, stranger.id, stranger.secret];
    return await runTests(Object.fromEntries(required.map((name, at) => [name, values[at]])));
  } finally {
    await swift.close();
  }
}

const runTests = (env) => run('node', ['infra/local/test.mjs', 'external-s3', ...process.argv.slice(2)], env);

const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'];
const programs = packages.map((name) => (name.startsWith('swift-') ? `${name}-server` : name));

/** Installs Swift from Debian's packages if it is missing and this process may. Throws Error with the command otherwise. */
function installSwift() {
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return;
  const command = `apt-get install --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) throw new Error(`OpenStack Swift is missing. Run as root: ${command}`);
  console.log(`installing OpenStack Swift: ${packages.join(' ')}`);
  withoutStartedServices(() => {
    runApt(['update', '-qq']);
    runApt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  });
}

const policyFile = '/usr/sbin/policy-rc.d';

/** Runs `work` while packages may not start services. Debian's packages of Swift would occupy their ports. */
function withoutStartedServices(work) {
  const isOurs = !existsSync(policyFile);
  if (isOurs) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    work();
  } finally {
    if (isOurs) rmSync(policyFile);
  }
}

function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed: ${error?.message ?? stderr}`);
}

await main(testS3);
