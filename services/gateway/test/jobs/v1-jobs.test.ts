import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { describe, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { finishJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { openV1Caller } from '../support/v1-calls.ts';

const gateway = shareTestGateway();
const caller = testFixture(() => openV1Caller(gateway));

const actor = () => ({
  accountId: caller.owner.user.id,
  plan: currentPlans.api_basic,
  key: { id: caller.keyId, isSandbox: false },
});
const make = async () => (await makeJob(gateway.ctx, actor())).job.id;
type Page = { data: V1Job[]; next_cursor: string | null };
const list = async (query = '') => (await (await caller.call('GET', `/v1/jobs${query}`)).json()) as Page;

describe('the list of jobs', () => {
  it('returns each job once across pages, newest first', async () => {
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await make());
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(made.toReversed());
  });

  it('filters by status and creation time', async () => {
    const [first, second] = [await make(), await make()];
    await finishJob(gateway.ctx, first);
    expect((await list('?status=completed')).data.map(({ id }) => id)).toEqual([first]);
    const between = new Date();
    const { db } = gateway.ctx;
    const earlier = new Date(between.getTime() - 60_000);
    await db.updateTable('jobs').set({ createdAt: earlier }).where('id', '=', first).execute();
    const at = encodeURIComponent(new Date(between.getTime() - 30_000).toISOString());
    expect((await list(`?created_before=${at}`)).data.map(({ id }) => id)).toEqual([first]);
    expect((await list(`?created_after=${at}`)).data.map(({ id }) => id)).toEqual([second]);
  });

  it("includes jobs of the web app and omits other accounts' jobs", async () => {
    const { job } = await makeJob(gateway.ctx, { accountId: caller.owner.user.id, plan: currentPlans.api_basic });
    const stranger = await openV1Caller(gateway);
    await makeJob(gateway.ctx, { accountId: stranger.owner.user.id, plan: currentPlans.api_basic });
    expect((await list()).data.map(({ id }) => id)).toEqual([job.id]);
  });
});

describe('a job', () => {
  it('is the same at all of its URLs', async () => {
    const id = await make();
    await caller.call('DELETE', `/v1/jobs/${id}`);
    const read = async (path: string) => (await caller.call('GET', path)).json();
    const found = await read(`/v1/jobs/${id}`);
    expect(found).toMatchObject({ id, job_id: id, status: 'cancelled', success: false });
    for (const path of [`/v1/status/${id}`, `/api/v1/jobs/${id}`, `/api/v1/status/${id}`])
      expect(await read(path)).toEqual(found);
  });

  it('has an error with a documentation link when it failed', async () => {
    const id = await make();
    const changes = { status: 'failed', error_code: 'processing_crashed', error_detail: 'It stopped.' } as const;
    await gateway.ctx.db
      .updateTable('jobs')
      .set({ ...changes, finishedAt: new Date() })
      .where('id', '=', id)
      .execute();
    expect(await (await caller.call('GET', `/v1/jobs/${id}`)).json()).toMatchObject({
      success: false,
      status: 'failed',
      error: {
        code: 'processing_crashed',
        message: "It stopped. You weren't charged.",
        documentation_url: 'http://images.example/documentation#processing_crashed',
      },
    });
  });

  it('is canceled by DELETE while queued, and deleted with a receipt when finished', async () => {
    const queued = await make();
    const cancelled = await caller.call('DELETE', `/v1/jobs/${queued}`);
    expect(await cancelled.json()).toMatchObject({ id: queued, status: 'cancelled', success: false });
    const id = await make();
    await finishJob(gateway.ctx, id);
    const { download_url } = (await (await caller.call('GET', `/v1/jobs/${id}`)).json()) as V1Job;
    const { pathname, search } = new URL(download_url ?? '');
    const file = await fetch(gateway.url + pathname + search);
    expect([file.status, file.headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
    const receipt = await (await caller.call('DELETE', `/v1/jobs/${id}`)).json();
    expect(receipt).toMatchObject({ id, job_id: id, deleted_at: expect.any(String) });
    expect(receipt.objects.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['result', 'thumbnail']);
    expect((await fetch(gateway.url + pathname + search)).status).toBe(410);
    const gone = (await (await caller.call('GET', `/v1/jobs/${id}`)).json()) as V1Job;
    expect([gone.status, gone.success, gone.download_url]).toEqual(['expired', true, null]);
  });
});

describe('a job of another account', () => {
  const paths = (id: string) => [`GET /v1/jobs/${id}`, `GET /v1/status/${id}`, `DELETE /v1/jobs/${id}`];

  it('returns the same 404 as a missing job', async () => {
    const stranger = await openV1Caller(gateway, { tier: 'enterprise' });
    const id = await make();
    const visible = async (line: string) => {
      const [method = '', path = ''] = line.split(' ');
      const answer = await stranger.call(method, path);
      const { request_id: _, ...problem } = await answer.json();
      return { status: answer.status, problem };
    };
    for (const [at, line] of paths(id).entries()) {
      const missing = await visible(paths(randomUUID())[at] ?? '');
      expect(missing).toMatchObject({ status: 404, problem: { code: 'job_not_found' } });
      expect(await visible(line)).toEqual(missing);
      expect(await visible(paths('no-uuid')[at] ?? '')).toEqual(missing);
    }
  });
});

describe('a key', () => {
  it('with the read scope cannot create or delete jobs, and one with the process scope cannot read them', async () => {
    const id = await make();
    const { owner } = caller;
    const reader = await openV1Caller(gateway, { owner, scopes: ['read'] });
    expect(outcome(await reader.call('GET', `/v1/jobs/${id}`))).toBe('200');
    for (const [method, path] of [
      ['DELETE', `/v1/jobs/${id}`],
      ['POST', '/v1/process'],
      ['POST', '/v1/bulk'],
      ['POST', '/v1/estimate'],
    ] as const)
      expect(outcome(await reader.call(method, path))).toBe('403 wrong_scope');
    const maker = await openV1Caller(gateway, { owner, scopes: ['process'] });
    for (const path of ['/v1/jobs', `/v1/jobs/${id}`, '/v1/account', '/v1/engines'])
      expect(outcome(await maker.call('GET', path))).toBe('403 wrong_scope');
    expect(outcome(await maker.call('DELETE', `/v1/jobs/${id}`))).toBe('200');
  });
});

describe('an estimate', () => {
  const ask = (body: object) =>
    caller.call('POST', '/v1/estimate', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it('accepts snake_case and camelCase, with the defaults and limits of the public API', async () => {
    const snake = await (await ask({ width: 100, height: 50, has_alpha: true, scale: 4, engine: 'standard' })).json();
    expect(snake).toMatchObject({ width: 400, height: 200, units: 1, meter: 'shared' });
    expect(
      await (await ask({ width: 100, height: 50, hasAlpha: true, scaleFactor: 4, engine: 'standard' })).json(),
    ).toEqual(snake);
    const large = await (await ask({ width: 100, height: 50, scale: 9, engine: 'photo', bytes: 60_000_000 })).json();
    expect(large.limit).toMatchObject({ code: 'plan_feature', max_scale: 8, unlocked_by: 'api_pro' });
  });

  it('returns 422 for an unknown parameter', async () => {
    expect(outcome(await ask({ width: 100, height: 50, sclae: 2 }))).toBe('422 invalid_parameter');
  });
});

it('GET /v1/engines returns the engines as one page', async () => {
  const { data, next_cursor } = await (await caller.call('GET', '/v1/engines')).json();
  expect(next_cursor).toBeNull();
  expect(data.map(({ name }: { name: string }) => name)).toContain('standard');
});
