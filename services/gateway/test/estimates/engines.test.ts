import { engineNames } from '@uprez/contracts/policy/engines';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { describe, expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
const registry = fileFixture(async () => openWorkerRegistry({ ...gateway.ctx.redis, onError: () => undefined }));

const worker = { id: 'w-1', device: 'cpu', slots: 1, jail: 'full' as const };
const network = { engine: 'photo-fast' as const, variant: 'int8' as const, reason: 'checked here' };

describe('GET /api/engines', () => {
  it('does not claim to know what works while no worker lives', async () => {
    const user = await gateway.signUp();
    const { data } = await user.client.listEngines();
    expect(data.map(({ name }) => name)).toEqual(engineNames);
    expect(data.every(({ available, device }) => available === null && device === null)).toBe(true);
    expect(data.filter(({ isAuto }) => isAuto).map(({ name }) => name)).toEqual(['photo-fast']);
  });

  it('tells device, arithmetic and the speed of the slowest worker', async () => {
    const user = await gateway.signUp();
    const engines = ['standard', 'photo-fast'];
    await registry.announce({ ...worker, engines, networks: [{ ...network, pixelsPerSecond: 150_000 }] });
    await registry.announce({ ...worker, id: 'w-2', engines, networks: [{ ...network, pixelsPerSecond: 90_000 }] });
    const { data } = await user.client.listEngines();
    const find = (name: string) => data.find((engine) => engine.name === name);
    expect(find('photo-fast')).toMatchObject({
      ...{ meter: 'ai', available: true, device: 'cpu', variant: 'int8', reason: 'checked here' },
      pixelsPerSecond: 90_000,
    });
    expect(find('photo')).toMatchObject({ available: false, device: null, variant: null });
    expect(find('standard')).toMatchObject({ available: true, meter: 'standard', pixelsPerSecond: null });
    await Promise.all(['w-1', 'w-2'].map((id) => registry.withdraw(id)));
  });
});

describe('the receipt of a job', () => {
  it('is there once the job is done, for its owner alone', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, tier: 'free' });
    const params = { id: job.id };
    await expect(user.client.jobReceipt({ params })).rejects.toMatchObject({ code: 'job_not_finished' });
    await finishJob(gateway.ctx, job.id);
    const { data } = await user.client.jobReceipt({ params });
    expect(data).toMatchObject({ engine: 'standard', width: 16, height: 16, retries: [], notes: [] });
    await expect(other.client.jobReceipt({ params })).rejects.toMatchObject({ code: 'job_not_found' });
  });
});
