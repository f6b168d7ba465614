import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

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
  it('says what the job then says', async () => {
    const user = await gateway.signUp();
    const image = await makeImage({ width: 60, height: 40 });
    const recipe = { scaleFactor: '3', engine: 'photo-fast', format: 'webp', quality: '70' };
    const told = await estimate({ width: 60, height: 40, sourceFormat: 'png', ...recipe }, user.fetch);
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
      units: 1,
      meter: 'ai',
    });
    const [{ units, meter } = { units: 0, meter: '' }] = await gateway.ctx.db
      .selectFrom('ledger')
      .select(['units', 'meter'])
      .where('jobId', '=', data.id)
      .execute();
    expect({ units: -units, meter }).toEqual({ units: told.units, meter: told.meter });
  });

  it('is given to visitors, and by any way to say a size', async () => {
    const facts = { width: 400, height: 300, engine: 'standard' };
    expect(await estimate(facts)).toMatchObject({ width: 800, height: 600, meter: 'standard' });
    expect(await estimate({ ...facts, longSide: 100 })).toMatchObject({ width: 100, height: 75 });
    expect(await estimate({ ...facts, target: { width: 300, height: 300, fit: 'cover' } })).toMatchObject({
      width: 300,
      height: 300,
    });
  });

  it("tells a plan's limit instead of refusing, with what works and what opens more", async () => {
    const told = await estimate({ width: 400, height: 300, engine: 'photo-fast', scaleFactor: 8 });
    expect(told).toMatchObject({ width: 3200, height: 2400, meter: 'ai' });
    expect(told.seconds).toBeGreaterThan(0);
    expect(told.limit).toMatchObject({ code: 'plan_feature', limit: 4, value: 8, maxFactor: 4, unlockedBy: 'pro' });
    expect(told.limit?.detail).not.toContain('charged');
  });

  it('goes by the plan of whoever asks', async () => {
    const user = await gateway.signUp();
    await gateway.ctx.db.updateTable('users').set({ tier: 'api_pro' }).where('id', '=', user.user.id).execute();
    const told = await estimate({ width: 400, height: 300, engine: 'photo-fast', scaleFactor: 8 }, user.fetch);
    expect(told.limit).toBeUndefined();
    expect(told.meter).toBe('shared');
  });

  it.each([
    ['a file over the limit', { width: 10, height: 10, bytes: 60 * 1024 * 1024 }, 'file_too_large'],
    ['too many pixels', { width: 20_000, height: 20_000 }, 'too_many_pixels'],
    ['an output over the plan', { width: 9_000, height: 9_000, engine: 'standard' }, 'output_too_large'],
    ['a format of a larger plan', { width: 10, height: 10, format: 'avif' }, 'plan_feature'],
    [
      'a format that cannot hold it',
      { width: 9_000, height: 10, format: 'webp', engine: 'standard' },
      'output_too_large',
    ],
  ])('%s is told as its limit', async (_what, body, code) => {
    expect((await estimate(body)).limit?.code).toBe(code);
  });

  it('refuses fields that nobody knows, and values that cannot be', async () => {
    expect(await codeOf({ width: 10, height: 10, color: 'red' })).toBe('invalid_parameter');
    expect(await codeOf({ width: 10, height: 10, target: { depth: 3 } })).toBe('invalid_parameter');
    expect(await codeOf({ width: 10, height: 10, scaleFactor: 2, longSide: 5 })).toBe('conflicting_params');
    expect(await codeOf({ width: 10, height: 10, scaleFactor: 2, target: { width: 5 } })).toBe('conflicting_params');
    expect(await codeOf({ width: 10, height: 10, scaleFactor: 'x' })).toBe('invalid_parameter');
    expect(await codeOf({ width: 0, height: 10 })).toBe('invalid_parameter');
    expect(await codeOf({ height: 10 })).toBe('invalid_parameter');
    expect(await codeOf({ width: 10, height: 10, nested: { a: 1 } })).toBe('invalid_parameter');
  });

  it('counts as a processing call: of the account, or of the address where there is none', async () => {
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
