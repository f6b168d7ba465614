import type { IncomingMessage, ServerResponse } from 'node:http';
import { deleteAccountRows } from '@uprez/db/queries/accounts/users';
import { deleteOldImages } from '@uprez/db/queries/image-urls/image-url-results';
import { afterSeconds } from '@uprez/db/times';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { openFinisher } from '../support/finish-job.ts';
import { countImageTraces, openImageAccount } from '../support/image-urls.ts';
import { setUnitsLeft } from '../support/set-units-left.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const image = await makeImage({ width: 40, height: 30 });
const other = await makeImage({ width: 50, height: 30 });
/** What the site has at `/photo.png`; undefined: nothing. */
let photo: Buffer | undefined;

const site = fileFixture(() =>
  openTlsSite((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/moved') response.writeHead(302, { location: 'https://elsewhere.example/photo.png' }).end();
    else if (request.url === '/text') response.end('<html>no image</html>');
    else if (photo && request.url?.startsWith('/photo.png')) response.end(photo);
    else response.writeHead(404).end();
  }),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
const finisher = fileFixture(async () => openFinisher(gateway.ctx));
const account = testFixture(() => openImageAccount(gateway));
beforeEach(() => {
  photo = image;
  expect(finisher).toBeDefined();
});
afterAll(async () => {
  expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
});

const at = (path: string) => `https://images.example${path}`;
const jobsOf = (accountId: string) =>
  gateway.ctx.db.selectFrom('jobs').selectAll().where('accountId', '=', accountId).orderBy('id').execute();
const ledgerOf = (accountId: string) =>
  gateway.ctx.db
    .selectFrom('ledger')
    .select(['kind', 'units', 'reason'])
    .where('accountId', '=', accountId)
    .where('jobId', 'is not', null)
    .orderBy('id')
    .execute();
const age = (accountId: string) =>
  gateway.ctx.db
    .updateTable('imageUrlResults')
    .set({ freshUntil: afterSeconds(-1) })
    .where('accountId', '=', accountId)
    .execute();

describe('GET /v1/img/{signature}/{processing}/{source}', () => {
  it('fetches the original once, charges once, and sends the stored result to further requests', async () => {
    const path = account.pathOf(at('/photo.png'), 'width:20,format:jpeg');
    const before = site.requests.length;
    const answers = await Promise.all(Array.from({ length: 12 }, () => account.get(path)));
    expect(answers.map(outcome)).toEqual(answers.map(() => '200'));
    const [first] = answers;
    expect(Object.fromEntries(first?.headers ?? [])).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename=photo-0.5x.jpg',
      'cache-control': expect.stringMatching(/^public, max-age=(3600|359\d)$/),
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(first?.headers.has('vary')).toBe(false);
    expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toEqual(
      new Set(['the bytes of a result']),
    );
    const etag = first?.headers.get('etag') ?? '';
    expect((await account.get(path, { 'if-none-match': etag })).status).toBe(304);
    const part = await account.get(path, { range: 'bytes=4-8' });
    expect([part.status, await part.text()]).toEqual([206, 'bytes']);
    const head = await account.get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([200, etag, '21']);
    expect(site.requests.length - before).toBe(1);
    const jobs = await jobsOf(account.accountId);
    expect(jobs).toMatchObject([{ surface: 'api', apiKeyId: null, filename: 'photo.png', status: 'completed' }]);
    expect(await ledgerOf(account.accountId)).toEqual([
      {
        kind: 'reserve',
        units: -1,
        reason:
          'Reserved for one image of 20 x 15 pixels with standard, for an image URL with an original on images.example',
      },
      { kind: 'settle', units: 0, reason: expect.any(String) },
    ]);
  });

  it('creates one job for requests at two gateways', async () => {
    const settings = { DATABASE_URL: gateway.ctx.databaseUrl, DATA_DIR: gateway.ctx.dataDir };
    const second = await startTestGateway(settings, site.network);
    const path = account.pathOf(at('/photo.png?shared'));
    const urls = Array.from({ length: 10 }, (_, index) => [gateway.url, second.url][index % 2] + path);
    const answers = await Promise.all(urls.map((url) => fetch(url)));
    expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 200));
    await second.close();
    expect(site.requests.filter(({ url }) => url === '/photo.png?shared')).toHaveLength(1);
    expect(await jobsOf(account.accountId)).toHaveLength(1);
  });

  it('deletes unused entries after days, and all with the account', async () => {
    await account.get(account.pathOf(at('/photo.png')));
    const rows = async () => {
      const [settings, results] = (['imageUrlSettings', 'imageUrlResults'] as const).map((table) =>
        gateway.ctx.db.selectFrom(table).select('accountId').where('accountId', '=', account.accountId).execute(),
      );
      return [(await settings)?.length, (await results)?.length];
    };
    await deleteOldImages(gateway.ctx.db, 60);
    expect(await rows()).toEqual([1, 1]);
    await deleteOldImages(gateway.ctx.db, -1);
    expect(await rows()).toEqual([1, 0]);
    await gateway.ctx.db.transaction().execute((tx) => deleteAccountRows(tx, account.accountId));
    expect(await rows()).toEqual([0, 0]);
  });

  it('returns 403 for 1,000 forged URLs, without a fetch and without a row', async () => {
    const [, , , signature = '', ...rest] = account.pathOf(at('/photo.png')).split('/');
    const forged = (index: number) =>
      [
        `/v1/img/${signature.slice(0, -2)}${'AB'.replace('A', String(index % 10))}/${rest.join('/')}`,
        account.pathOf(at(`/photo.png?${index}`), 'width:20', `upz_img_${index}`),
        `/v1/img/${signature}/${rest[0]},width:3/${rest[1]}`,
        `/v1/img/${signature}/${(rest[0] ?? '').replace(/k:\w{4}/, `k:${String(index).padStart(4, '0')}`)}/${rest[1]}`,
        `/v1/img/${index}/width:20/${rest[1]}`,
      ][index % 5] ?? '';
    const before = await countImageTraces(gateway);
    const fetched = site.requests.length;
    for (let start = 0; start < 1_000; start += 50) {
      const batch = Array.from({ length: 50 }, (_, index) => account.get(forged(start + index)));
      expect(new Set((await Promise.all(batch)).map(outcome))).toEqual(new Set(['403 image_url_invalid']));
    }
    expect(site.requests.length).toBe(fetched);
    expect(await countImageTraces(gateway)).toEqual(before);
    // Events are written in the order of their requests.
    await account.get('/v1/account', { authorization: 'Bearer upz_live_forged' });
    const events = await waitUntil(
      async () => {
        const rows = await gateway.ctx.db.selectFrom('accessEvents').select('path').execute();
        return rows.some(({ path }) => path === '/v1/account') && rows;
      },
      { what: 'the event' },
    );
    expect(events.filter(({ path }) => path.includes('/img/'))).toEqual([]);
  });

  it.each([
    ['https://other.example/photo.png', 'width:20', '403 source_not_allowed'],
    ['https://sub.images.example/photo.png', 'width:20', '403 source_not_allowed'],
    [at('/photo.png'), 'width:20,exp:1500000000', '403 image_url_expired'],
    [at('/photo.png'), 'width:20,exp:soon', '422 invalid_parameter'],
    [at('/photo.png'), 'width:many', '422 invalid_parameter'],
    [at('/photo.png'), 'shape:round', '422 invalid_parameter'],
    [at('/photo.png'), 'retention:1', '422 invalid_parameter'],
    [at('/photo.png'), 'width:20,scale:2', '422 conflicting_params'],
    ['http://images.example/photo.png', 'width:20', '422 url_not_allowed'],
    ['https://127.0.0.1/photo.png', 'width:20', '422 url_not_allowed'],
  ])('answers %s with %s as %s, without a fetch and without a row', async (original, options, expected) => {
    const before = await countImageTraces(gateway);
    const fetched = site.requests.length;
    expect(outcome(await account.get(account.pathOf(original, options)))).toBe(expected);
    expect(site.requests.length).toBe(fetched);
    expect(await countImageTraces(gateway)).toEqual(before);
  });

  it('follows no redirect to a host that is not on the list', async () => {
    const before = site.requests.length;
    expect(outcome(await account.get(account.pathOf(at('/moved'))))).toBe('403 source_not_allowed');
    expect(site.requests.slice(before).map(({ url }) => url)).toEqual(['/moved']);
    expect(await jobsOf(account.accountId)).toEqual([]);
  });

  it('sends an error for a while without another fetch', async () => {
    const before = site.requests.length;
    for (const [path, expected] of [
      ['/gone', '422 url_unreachable'],
      ['/text', '415 unsupported_format'],
    ] as const)
      for (let index = 0; index < 3; index++)
        expect(outcome(await account.get(account.pathOf(at(path))))).toBe(expected);
    expect(site.requests.length - before).toBe(2);
  });

  it('returns 402 without a job when the quota is used up, and tells visitors nothing about the account', async () => {
    await setUnitsLeft(gateway.ctx.db, { accountId: account.accountId, meter: 'shared', units: 0 });
    const answer = await account.get(account.pathOf(at('/photo.png')));
    expect(outcome(answer)).toBe('402 quota_exceeded');
    const problem = (await answer.json()) as Record<string, unknown>;
    expect(problem.detail).toBe("You've reached your plan's monthly limit.");
    expect(problem.meta).toBeUndefined();
    expect(await jobsOf(account.accountId)).toEqual([]);
  });

  it('returns 429 without a fetch at the daily limit, and tells visitors nothing about the account', async () => {
    const { accountId } = account;
    await gateway.ctx.db
      .insertInto('dailyCounts')
      // Of tomorrow, as midnight may pass.
      .values({ accountId, name: 'images', count: 1_000_000, day: sql`(now() at time zone 'utc')::date + 1` })
      .execute();
    const before = site.requests.length;
    for (let index = 0; index < 3; index++) {
      const answer = await account.get(account.pathOf(at('/photo.png')));
      expect(outcome(answer)).toBe('429 rate_limited');
      const problem = (await answer.json()) as Record<string, unknown>;
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(30);
      const meta = { retry_after_s: wait };
      expect([problem.detail, problem.meta]).toEqual(['Too many requests. Try again in a moment.', meta]);
    }
    expect(site.requests.length).toBe(before);
    expect(await jobsOf(accountId)).toEqual([]);
  });

  it('sends WebP to clients that accept it when no format is set', async () => {
    const path = account.pathOf(at('/photo.png'));
    const webp = await account.get(path, { accept: 'image/avif,image/webp,*/*;q=0.8' });
    const others = await account.get(path, { accept: 'image/webp;q=0, */*' });
    expect([webp, others].map(({ headers }) => [headers.get('content-type'), headers.get('vary')])).toEqual([
      ['image/webp', 'Accept'],
      ['image/png', 'Accept'],
    ]);
    expect(await jobsOf(account.accountId)).toHaveLength(2);
  });

  it('returns 503 with Retry-After while the job runs, and charges nothing for asking again', async () => {
    const path = account.pathOf(at('/photo.png'));
    const answer = await account.get(path, { prefer: 'respond-async' });
    expect([outcome(answer), answer.headers.get('cache-control')]).toEqual(['503 image_not_ready', 'no-store']);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect((await account.get(path)).status).toBe(200);
    expect(await jobsOf(account.accountId)).toHaveLength(1);
  });

  it('goes on when the client disconnects', async () => {
    const controller = new AbortController();
    const path = account.pathOf(at('/photo.png?left'));
    const asked = fetch(gateway.url + path, { signal: controller.signal }).catch(() => undefined);
    await waitUntil(async () => site.requests.some(({ url }) => url === '/photo.png?left'), { what: 'the fetch' });
    controller.abort();
    await asked;
    await waitUntil(async () => (await jobsOf(account.accountId)).length === 1, { what: 'the job' });
    expect((await account.get(path)).status).toBe(200);
    expect(await jobsOf(account.accountId)).toHaveLength(1);
  });

  it('looks at the original again after an hour, and charges for a new one only', async () => {
    const path = account.pathOf(at('/photo.png'));
    const before = site.requests.length;
    /** Requests the image until its original was requested so many times, as results are looked up once a second. */
    const askUntil = async (fetches: number) => {
      await age(account.accountId);
      await waitUntil(async () => (await account.get(path)).ok && site.requests.length - before === fetches, {
        what: 'the fetch',
      });
      return account.get(path);
    };
    const etag = (await account.get(path)).headers.get('etag');
    expect((await askUntil(2)).headers.get('etag')).toBe(etag);
    expect(await jobsOf(account.accountId)).toHaveLength(1);
    photo = undefined;
    const kept = await askUntil(3);
    expect([kept.status, kept.headers.get('etag')]).toEqual([200, etag]);
    photo = other;
    expect((await askUntil(4)).status).toBe(200);
    expect(await jobsOf(account.accountId)).toHaveLength(2);
    expect((await ledgerOf(account.accountId)).filter(({ kind }) => kind === 'reserve')).toHaveLength(2);
  });

  it('makes a result again after its time, but not after its owner deleted it', async () => {
    const path = account.pathOf(at('/photo.png'));
    await account.get(path);
    const [job] = await jobsOf(account.accountId);
    await account.owner.client.deleteJob({ params: { id: job?.id ?? '' } });
    // Results are looked up once a second.
    await waitUntil(async () => (await account.get(path)).status === 410, { what: 'the deletion' });
    await gateway.ctx.db
      .updateTable('jobs')
      .set({ expiresAt: afterSeconds(-1) })
      .where('id', '=', job?.id ?? '')
      .execute();
    expect((await account.get(path)).status).toBe(200);
    expect(await jobsOf(account.accountId)).toHaveLength(2);
  });

  it('makes a result again while its time is over and it is not deleted yet', async () => {
    const path = account.pathOf(at('/photo.png'));
    await account.get(path);
    const before = site.requests.length;
    await gateway.ctx.db
      .updateTable('jobs')
      .set({ expiresAt: afterSeconds(-1) })
      .where('accountId', '=', account.accountId)
      .execute();
    // Results are looked up once a second.
    await waitUntil(async () => (await account.get(path)).ok && (await jobsOf(account.accountId)).length === 2, {
      what: 'another job',
    });
    expect(site.requests.length - before).toBe(1);
  });

  it('is not part of the sandbox', async () => {
    const path = account.pathOf(at('/photo.png')).replace('/v1/', '/v1/sandbox/');
    expect(outcome(await account.get(path))).toBe('404 not_found');
  });
});
