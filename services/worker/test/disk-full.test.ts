import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import { fileFixture } from '@uprez/testing/fixtures';
import { mayMount, openSmallDisk } from '@uprez/testing/open-small-disk';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import {
  balance,
  countByStatus,
  jobRow,
  openChaos,
  repeats,
  serviceOf,
  startWorker,
  submit,
  submitMany,
  waitForProcessing,
  waitForStatus,
} from './chaos.ts';

const hasDisks = mayMount();
const rounds = repeats(1, 20);
const unavailable = { status: 503, code: 'service_unavailable' };
/** Services aren't ready on a smaller disk. Results stay on it. */
const readyMegabytes = Math.ceil(limits.freeDiskBytes / 2 ** 20) + rounds * 64;

describe.skipIf(!hasDisks)('R15: a full disk', () => {
  const disk = fileFixture(() => openSmallDisk(readyMegabytes));
  const chaos = fileFixture(() =>
    openChaos({ env: { DATA_DIR: disk.folder, JOB_DIR: join(disk.folder, 'jobs'), UNFINISHED_S: '5' } }),
  );
  const metrics = (name: string) => serviceOf(chaos.product, name).metrics();

  it(
    `of files refuses uploads, returns jobs to the queue, and loses nothing, ${rounds} times`,
    async () => {
      const { product, user } = chaos;
      const ids: string[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        ids.push(...(await submitMany(user, 3, { width: 1_600, height: 1_200 })));
        await waitForProcessing(product, 1);
        disk.fill();
        // Jobs that end meanwhile free space.
        const error = await waitUntil<unknown>(() => {
          disk.fill();
          return submit(user).then(
            (id) => void ids.push(id),
            (reason: unknown) => reason ?? false,
          );
        });
        expect(error).toMatchObject(unavailable);
        const ready = await fetch(`${product.url}/readyz`);
        expect({ status: ready.status, disk: (await ready.json()).checks.disk }).toEqual({
          status: 503,
          disk: 'failed',
        });
        expect(await metrics('gateway')).toContain('readiness_check{check="disk"} 0\n');
        const returned = /^job_duration_seconds_count\{.*outcome="returned"\} [1-9]/m;
        await waitUntil(async () => returned.test(await metrics('worker')), { what: 'an attempt that is returned' });
        disk.empty();
        await product.settle(120_000);
        expect((await countByStatus(product)).completed).toBe(ids.length);
        expect(await balance(product)).toBe(-ids.length);
      }
      expect(await product.db.selectFrom('jobs').select('id').where('failures', '>', 0).execute()).toEqual([]);
      const temporary = join(disk.folder, 'objects/.tmp');
      await waitUntil(() => readdirSync(temporary).length === 0, { what: 'no temporary files' });
      expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    },
    repeats(180_000, 1_800_000),
  );
});

describe.skipIf(!hasDisks)('R15: a full disk of one worker', () => {
  const disk = fileFixture(() => openSmallDisk(readyMegabytes));
  const chaos = fileFixture(() => openChaos({ services: ['gateway', 'dispatcher'] }));

  it('leaves its jobs to the others until it has space', async () => {
    const { product, user } = chaos;
    const full = await startWorker(product, { JOB_DIR: join(disk.folder, 'jobs') });
    const waitForLog = (message: string) =>
      waitUntil(() => full.lines.some((line) => line.includes(`"msg":"${message}"`)), { what: message });
    disk.fill();
    await waitForLog('worker paused');
    const ids = await submitMany(user, 4);
    const other = await startWorker(product);
    for (const id of ids) await waitForStatus(product, id, 'completed');
    const attempts = await Promise.all(ids.map(async (id) => (await jobRow(product, id)).attempt));
    expect(attempts).toEqual(ids.map(() => 1));
    await other.end('SIGTERM');
    disk.empty();
    await waitForLog('worker resumed');
    await waitForStatus(product, await submit(user), 'completed');
  });
});

describe.skipIf(!hasDisks)('R15: a full disk of PostgreSQL', () => {
  const disk = fileFixture(() => openSmallDisk(400));
  const chaos = fileFixture(() => openChaos({ ownPostgres: disk.folder, env: { WORKER_CONCURRENCY: '2' } }));

  it(
    `leads to 503, and loses no accepted job, ${rounds} times`,
    async () => {
      const { product, user, postgres } = chaos;
      const ids: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        disk.fill();
        // The server accepts rows while its last pages and its last segment of the log have room.
        const error = await waitUntil<unknown>(() =>
          submit(user, { width: 100, height: 80 }).then(
            (id) => void ids.push(id),
            (reason: unknown) => reason ?? false,
          ),
        );
        expect(error).toMatchObject(unavailable);
        const failed =
          '^http_request_duration_seconds_count\\{method="POST",route="/api/images/process",status="5xx"\\} [1-9]';
        expect(await serviceOf(product, 'gateway').metrics()).toMatch(new RegExp(failed, 'm'));
        disk.empty();
        if (!postgres?.running) await postgres?.start();
        await waitUntil(async () => (await fetch(`${product.url}/readyz`)).ok, { what: 'a ready gateway' });
        ids.push(await submit(user, { width: 100, height: 80 }));
        await product.settle(120_000);
      }
      expect(product.services.map((service) => service.process.exitCode)).toEqual(product.services.map(() => null));
      expect((await countByStatus(product)).completed).toBeGreaterThanOrEqual(ids.length);
      expect(await balance(product)).toBe(-((await countByStatus(product)).completed ?? 0));
    },
    repeats(180_000, 1_800_000),
  );
});
