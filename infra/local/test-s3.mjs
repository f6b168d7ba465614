// npm run test:s3: runs the tests of storage and of a job on an S3 server that checks signatures: OpenStack Swift, or the one of
// TEST_S3_ENDPOINT. The last line is "N passed, N failed".
import { main, run } from './run.mjs';
import { installSwift } from './s3/install-swift.mjs';
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

await main(testS3);
