import { engineNames } from '@uprez/contracts/policy/images/engines';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import type { Estimate, PrintProfile } from '@uprez/contracts/schemas/jobs/estimate';
import { estimateSeconds } from '@uprez/imaging/pipeline/estimate';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { imageForm } from '@uprez/testing/sign-up';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it registers workers.
const gateway = fileFixture(() => startTestGateway());

const visitor = makeCheckedFetch(fetch);
const ask = (body: unknown, fetcher = visitor, { url } = gateway) =>
  fetcher(`${url}/api/estimate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const estimate = async (body: unknown, fetcher = visitor): Promise<Estimate> => {
  const response = await ask(body, fetcher);
  expect(response.status).toBe(200);
  return (await response.json()) as Estimate;
};
const codeOf = async (body: unknown) => (await ask(body)).headers.get('x-error-code');

describe('an estimate', () => {
  it('equals the size, duration, and units of the job', async () => {
    const user = await gateway.signUp();
    const image = await makeImage({ width: 60, height: 40 });
    const recipe = { scaleFactor: '3', engine: 'photo-fast', format: 'webp', quality: '70' };
    const facts = { width: 60, height: 40, bytes: image.length, sourceFormat: 'png' };
    const told = await estimate({ ...facts, ...recipe }, user.fetch);
    const { data } = await user.client.processImage({
      body: imageForm(image, recipe),
      headers: { prefer: 'respond-async' },
    });
    const { plan } = await gateway.ctx.db
      .selectFrom('jobs')
      .select('plan')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow();
    expect(told).toEqual({
      width: plan.output.width,
      height: plan.output.height,
      bytes: plan.estimate.outputBytes,
      seconds: plan.estimate.seconds,
      minSeconds: estimateSeconds(plan),
      // No worker runs here, so nobody knows.
      waitSeconds: null,
      units: 1,
      meter: 'ai',
      pausedEngine: null,
    });
    const [{ units, meter } = { units: 0, meter: '' }] = await gateway.ctx.db
      .selectFrom('ledger')
      .select(['units', 'meter'])
      .where('jobId', '=', data.id)
      .execute();
    expect({ units: -units, meter }).toEqual({ units: told.units, meter: told.meter });
  });

  it('is available to visitors, with a size in any notation', async () => {
    const facts = { width: 400, height: 300, engine: 'standard' };
    expect(await estimate(facts)).toMatchObject({ width: 800, height: 600, meter: 'standard' });
    expect(await estimate({ ...facts, longSide: 100 })).toMatchObject({ width: 100, height: 75 });
    expect(await estimate({ ...facts, target: { width: 300, height: 300, fit: 'cover' } })).toMatchObject({
      width: 300,
      height: 300,
    });
  });

  it('returns the limit of the plan with the largest allowed value and the plan that raises it', async () => {
    const told = await estimate({ width: 400, height: 300, engine: 'photo-fast', scaleFactor: 8 });
    expect(told).toMatchObject({ width: 3200, height: 2400, meter: 'ai' });
    expect(told.seconds).toBeGreaterThan(0);
    expect(told.limit).toMatchObject({ code: 'plan_feature', limit: 4, value: 8, maxFactor: 4, unlockedBy: 'pro' });
    expect(told.limit?.detail).not.toContain('charged');
  });

  it('uses the plan of the account', async () => {
    const user = await gateway.signUp();
    await gateway.ctx.db.updateTable('users').set({ tier: 'api_pro' }).where('id', '=', user.user.id).execute();
    const told = await estimate({ width: 400, height: 300, engine: 'photo-fast', scaleFactor: 8 }, user.fetch);
    expect(told.limit).toBeUndefined();
    expect(told.meter).toBe('shared');
  });

  it.each([
    ['a file over the size limit', { width: 10, height: 10, bytes: 60 * 1024 * 1024 }, 'file_too_large'],
    ['too many pixels', { width: 20_000, height: 20_000 }, 'too_many_pixels'],
    ['an output over the plan limit', { width: 9_000, height: 9_000, engine: 'standard' }, 'output_too_large'],
    ['a format that the plan lacks', { width: 10, height: 10, format: 'avif' }, 'plan_feature'],
    [
      'a format that cannot hold the size',
      { width: 9_000, height: 10, format: 'webp', engine: 'standard' },
      'output_too_large',
    ],
  ])('returns the limit for %s', async (_what, body, code) => {
    expect((await estimate(body)).limit?.code).toBe(code);
  });

  it('returns an error for unknown fields and invalid values', async () => {
    expect(await codeOf({ width: 10, height: 10, color: 'red' })).toBe('invalid_parameter');
    expect(await codeOf({ width: 10, height: 10, target: { depth: 3 } })).toBe('invalid_parameter');
    expect(await codeOf({ width: 10, height: 10, scaleFactor: 2, longSide: 5 })).toBe('conflicting_params');
    expect(await codeOf({ width: 10, height: 10, scaleFactor: 2, target: { width: 5 } })).toBe('conflicting_params');
    expect(await codeOf({ width: 10, height: 10, scaleFactor: 'x' })).toBe('invalid_parameter');
    expect(await codeOf({ width: 0, height: 10 })).toBe('invalid_parameter');
    expect(await codeOf({ height: 10 })).toBe('invalid_parameter');
    expect(await codeOf({ width: 10, height: 10, nested: { a: 1 } })).toBe('invalid_parameter');
  });

  it('counts as a processing call of the account, or of the IP address without a session', async () => {
    const few = await startTestGateway({ RATE_LIMIT_SCALE: '0.1' });
    const max = 6;
    expect(rateLimits.processing.calls).toBe('plan');
    const codes = async (fetcher: typeof fetch) => {
      const answers = [];
      for (let call = 0; call <= max; call++) answers.push(await ask({ width: 9, height: 9 }, fetcher, few));
      return answers.map(({ status }) => status);
    };
    const user = await few.signUp();
    const expected = [...Array.from({ length: max }, () => 200), 429];
    expect(await codes(visitor)).toEqual(expected);
    expect(await codes(user.fetch)).toEqual(expected);
    await few.close();
  });
});

const registry = fileFixture(async () => openWorkerRegistry({ ...gateway.ctx.redis, onError: () => undefined }));

const worker = {
  id: 'w-1',
  device: 'cpu',
  pool: null,
  printProfiles: [{ name: 'press', description: 'Press' }],
  slots: 1,
  jail: 'full' as const,
  installing: ['art', 'photo-fast'],
  customModels: {},
};
const network = { engine: 'photo-fast' as const, variant: 'int8' as const, reason: 'checked here' };

it('offers only CMYK profiles that all workers have', async () => {
  const user = await gateway.signUp();
  const machine = { ...worker, engines: ['standard'], networks: [] };
  const [press, coated] = ['press', 'coated'].map((name) => ({ name, description: `For ${name}` })) as [
    PrintProfile,
    PrintProfile,
  ];
  onTestFinished(async () => void (await Promise.all(['w-1', 'w-2'].map((id) => registry.withdraw(id)))));
  await registry.announce({ ...machine, printProfiles: [press, coated] });
  await registry.announce({ ...machine, id: 'w-2', printProfiles: [coated] });
  const { data } = await user.client.listPrintProfiles();
  expect(data).toEqual([{ name: 'generic', description: 'Generic CMYK' }, coated]);
  const estimate = async (printProfile: string) =>
    (await user.client.estimate({ body: { width: 30, height: 20, format: 'jpeg', engine: 'standard', printProfile } }))
      .data;
  expect((await estimate('press')).limit).toMatchObject({
    code: 'invalid_parameter',
    detail: '"press" isn\'t a CMYK profile on this server. Use generic or coated.',
  });
  expect(await estimate('coated')).not.toHaveProperty('limit');
});

describe('GET /api/engines', () => {
  it('returns an unknown availability while no worker runs', async () => {
    const user = await gateway.signUp();
    const { data } = await user.client.listEngines();
    expect(data.map(({ name }) => name)).toEqual(engineNames);
    expect(data.every(({ available, device }) => available === null && device === null)).toBe(true);
    expect(data.filter(({ paused }) => paused)).toEqual([]);
    expect(data.filter(({ isAuto }) => isAuto).map(({ name }) => name)).toEqual(['photo-fast']);
  });

  it('lists custom models after the built-in engines, and estimates jobs with them', async () => {
    const user = await gateway.signUp();
    const sha = 'a'.repeat(64);
    const facts = { sha256: sha, sizeBytes: 1_000, overlap: 16, bytesPerPixel: 1_000, pixelsPerSecond: 5_000 };
    const model = { ...facts, title: 'My model', license: 'MIT', source: 'a test', for: 'photos' as const };
    const customModels = { 'custom:b': model, 'custom:a': { ...model, title: 'Another' } };
    const engines = ['standard', 'custom:a', 'custom:b'];
    await registry.announce({ ...worker, engines, networks: [], customModels });
    const { data } = await user.client.listEngines();
    expect(data.map(({ name }) => name)).toEqual([...engineNames, 'custom:a', 'custom:b']);
    expect(data.at(-1)).toMatchObject({
      ...{ meter: 'ai', available: true, paused: false, isAuto: false, pixelsPerSecond: 5_000, custom: model },
      says: 'Photos. Custom model: My model. License: MIT.',
    });
    const image = { width: 400, height: 300, scaleFactor: 2 };
    const estimate = async (engine: string) => (await user.client.estimate({ body: { ...image, engine } })).data;
    const known = await estimate('custom:a');
    expect(known).toMatchObject({ meter: 'ai', units: 1 });
    expect(known.limit).toBeUndefined();
    expect(known.seconds).toBeGreaterThan(20);
    expect(await estimate('custom:c')).toMatchObject({ seconds: null, limit: { code: 'engine_unavailable' } });
    await registry.withdraw(worker.id);
  });

  it('returns the device, the precision, and the speed of the slowest worker', async () => {
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
    expect(find('photo')).toMatchObject({ available: false, installing: false, device: null, variant: null });
    expect(find('art')).toMatchObject({ available: false, installing: true });
    expect(find('photo-fast')).toMatchObject({ available: true, installing: false });
    expect(find('standard')).toMatchObject({ available: true, meter: 'standard', pixelsPerSecond: null });
    await Promise.all(['w-1', 'w-2'].map((id) => registry.withdraw(id)));
  });
});

describe('the receipt of a job', () => {
  it('is returned to its owner after the job is finished', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    const params = { id: job.id };
    await expect(user.client.jobReceipt({ params })).rejects.toMatchObject({ code: 'job_not_finished' });
    await finishJob(gateway.ctx, job.id);
    const { data } = await user.client.jobReceipt({ params });
    expect(data).toMatchObject({ engine: 'standard', width: 16, height: 16, retries: [], notes: [] });
    await expect(other.client.jobReceipt({ params })).rejects.toMatchObject({ code: 'job_not_found' });
  });
});
