import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

// Not shared: it pauses engines and drains workers.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway, 'admin'));
const support = fileFixture(() => signUpAdmin(gateway, 'support'));
beforeEach(() => gateway.ctx.db.deleteFrom('settings').where('name', '=', 'jobs').execute());

const pause = (id: string, paused: boolean) =>
  admin.client.adminPauseEngine({ params: { id }, body: { paused, reason: 'too slow' } });
const readyJobs = async (base: string) => ((await (await fetch(`${base}/readyz`)).json()) as { jobs: object }).jobs;

describe('pausing an engine', () => {
  it('is told in the list of engines, in estimates, and in both readiness responses', async () => {
    const settings = { pausedEngines: ['photo-fast'], drainsAll: false };
    const { data } = await pause('photo-fast', true);
    expect(data).toEqual({ ...settings, drainedWorkers: [] });
    const engines = (await admin.client.listEngines()).data;
    expect(engines.filter(({ paused }) => paused).map(({ name }) => name)).toEqual(['photo-fast']);
    const image = { width: 100, height: 100, scaleFactor: 2 };
    expect((await admin.client.estimate({ body: image })).data.pausedEngine).toBe('photo-fast');
    const plain = { body: { ...image, engine: 'standard' } };
    expect((await admin.client.estimate(plain)).data.pausedEngine).toBeNull();
    expect(await readyJobs(gateway.operatorUrl)).toEqual({ ...settings, drainedWorkers: [] });
    await expect.poll(() => readyJobs(gateway.url), { timeout: 10_000 }).toEqual(settings);
    await pause('photo-fast', false);
    expect((await admin.client.listEngines()).data.some(({ paused }) => paused)).toBe(false);
  });

  it('returns 404 for an unknown engine and a name that no worker can have', async () => {
    await expect(pause('none', true)).rejects.toMatchObject({ status: 404 });
    const drain = admin.client.adminDrainWorker({ params: { id: 'a b' }, body: { draining: true } });
    await expect(drain).rejects.toMatchObject({ status: 404 });
  });

  it('returns 409 when another administrator did it, and 403 to support', async () => {
    await pause('art', true);
    await expect(pause('art', true)).rejects.toMatchObject({ status: 409, code: 'operations_changed' });
    const refused = support.client.adminPauseEngine({ params: { id: 'art' }, body: { paused: false } });
    await expect(refused).rejects.toMatchObject({ code: 'permission_missing' });
  });
});

describe('draining workers', () => {
  it('names workers, or all of them, until they resume', async () => {
    const one = (draining: boolean) => admin.client.adminDrainWorker({ params: { id: 'gpu-1' }, body: { draining } });
    expect((await one(true)).data).toMatchObject({ drainedWorkers: ['gpu-1'], drainsAll: false });
    const all = await admin.client.adminDrainWorkers({ body: { draining: true } });
    expect(all.data).toMatchObject({ drainedWorkers: ['gpu-1'], drainsAll: true });
    expect((await one(false)).data).toMatchObject({ drainedWorkers: [], drainsAll: true });
    await expect(one(false)).rejects.toMatchObject({ code: 'operations_changed' });
  });
});
