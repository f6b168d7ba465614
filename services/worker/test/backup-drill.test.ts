import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDb } from '@uprez/db/open-db';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { inheritedEnv } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { getServices } from '@uprez/testing/open-test-database';
import { startTestProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, describe, expect, it } from 'vitest';
import { countByStatus, jobRow, signUpUnlimited, submit } from './chaos.ts';
import { findPrograms, openDumpPostgres } from './dump-postgres.ts';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));
const programs = findPrograms();
const backups = mkdtempSync(path.join(tmpdir(), 'uprez-test-backups-'));
afterAll(() => rmSync(backups, { recursive: true, force: true }));

type Ended = { code: number; stdout: string; stderr: string };
const run = (file: string, args: string[], env: Record<string, string>): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(file, args, { cwd: rootDir, env: { ...inheritedEnv, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
const backUp = (env: Record<string, string>) => run('infra/backup/backup.sh', [backups], env);
const restore = (file: string, env: Record<string, string>) => run('infra/backup/restore.sh', [file], env);
const reconcile = (env: Record<string, string>, ...args: string[]) =>
  run(process.execPath, ['services/dispatcher/dist/reconcile-files.js', ...args], env);

/** Uploads images until stopped. Returns how many. */
async function upload(user: Awaited<ReturnType<typeof signUpUnlimited>>, stop: AbortSignal): Promise<number> {
  let count = 0;
  for (; !stop.aborted; count += 1) await submit(user, { width: 200, height: 150 });
  return count;
}

const completed = async (product: Pick<TestProduct, 'db'>) => (await countByStatus(product)).completed ?? 0;

async function backUpUnderLoad(product: TestProduct) {
  const user = await signUpUnlimited(product);
  const stop = new AbortController();
  const uploading = upload(user, stop.signal);
  await waitUntil(async () => (await completed(product)) >= 3, { what: '3 completed jobs' });
  const ended = await backUp(product.env);
  const before = await completed(product);
  await waitUntil(async () => (await completed(product)) > before, { what: 'a job after the backup' });
  stop.abort();
  await uploading;
  return { user, ...ended };
}

/** Opens the restored database with the storage of the product. */
function openRestored({ storage }: TestProduct, url: string) {
  const { db, close } = openDb({ url, poolSize: 4, onError: () => {} });
  return { db, storage, close };
}
type Restored = ReturnType<typeof openRestored>;

/** Deletes the file of a result, as a storage does that was restored to an earlier moment. Returns the job. */
async function loseResult({ db, storage }: Restored): Promise<string> {
  const { id, key } = await db
    .selectFrom('jobs')
    .innerJoin('objects', 'objects.id', 'jobs.resultId')
    .select(['jobs.id', 'objects.key'])
    .where('jobs.status', '=', 'completed')
    .limit(1)
    .executeTakeFirstOrThrow();
  await storage.deleteMany([key]);
  return id;
}

async function reconcileLost(restored: Restored, env: Record<string, string>): Promise<void> {
  const lost = await loseResult(restored);
  const errors = (await checkLedger(restored)).errors.join('\n');
  expect(errors).toContain('but there are no bytes');
  expect(errors).toContain('bytes without a row');
  const found = await reconcile(env);
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining(`missing result results/${lost}/`) });
  expect(found.stdout).toMatch(/^orphan results\/[\s\S]*Nothing was changed/m);
  expect(await reconcile(env, '--apply')).toMatchObject({ code: 0, stderr: '' });
  expect((await checkLedger(restored)).errors).toEqual([]);
  expect(await jobRow(restored, lost)).toMatchObject({ status: 'expired' });
}

/** Starts the services on the restored database, and waits until the jobs that were unfinished have ended. */
async function continueOn(product: TestProduct, restored: Restored, env: Record<string, string>): Promise<string> {
  const gateway = await product.spawn('gateway', env);
  await product.spawn('worker', env);
  await product.spawn('dispatcher', env);
  await gateway.ready();
  await waitUntil(async () => (await checkLedger(restored, 0)).errors.length === 0, {
    everyMs: 250,
    what: 'a clean ledger without unfinished jobs',
  });
  return gateway.publicUrl();
}

describe.skipIf(!programs)('a backup', () => {
  const postgres = fileFixture(() => openDumpPostgres(programs ?? ''));
  const product = fileFixture(async () =>
    startTestProduct({ databaseUrl: await postgres.createDatabase('live'), redisUrl: getServices().redisUrl }),
  );

  it('that is made under load restores an installation, with its files reconciled', async () => {
    const { user, code, stdout } = await backUpUnderLoad(product);
    const file = stdout.trim();
    const files = [path.basename(file), `${path.basename(file)}.sha256`];
    expect({ code, files: readdirSync(backups).sort() }).toEqual({ code: 0, files });
    await Promise.all(product.services.map((service) => service.end('SIGKILL')));
    await postgres.dropDatabase('live');

    const DATABASE_URL = await postgres.createDatabase('restored');
    const env = { ...product.env, DATABASE_URL, QUEUE_PREFIX: `${product.env.QUEUE_PREFIX}-restored` };
    expect(await restore(file, env)).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored') });
    const again = await restore(file, env);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The database isn't empty \(\d+ tables/) });

    const restored = openRestored(product, DATABASE_URL);
    try {
      await reconcileLost(restored, env);
      const url = await continueOn(product, restored, env);
      expect((await user.fetch(`${url}/api/user`)).status).toBe(200);
      expect(await completed(restored)).toBeGreaterThanOrEqual(2);
    } finally {
      await restored.close();
    }
  });

  it('that is damaged is refused, and leaves the database empty', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase('empty') };
    const file = path.join(backups, 'damaged.dump');
    writeFileSync(file, 'PGDMP');
    writeFileSync(`${file}.sha256`, `${'0'.repeat(64)}  damaged.dump\n`);
    expect(await restore(file, env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('differs from its checksum'),
    });
    rmSync(`${file}.sha256`);
    const { code, stdout } = await restore(file, env);
    expect({ failed: code !== 0, stdout }).toEqual({ failed: true, stdout: '' });
    expect(await backUp({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toMatchObject({ code: 1 });
    expect(readdirSync(backups).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
