import type { ServerResponse } from 'node:http';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import { afterSeconds } from '@uprez/db/times';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { openFinisher } from '../support/finish-job.ts';
import { openImageAccount } from '../support/image-urls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const image = await makeImage({ width: 40, height: 30 });
/** Responses to requests for originals under `/slow`, which the tests end. */
let held: { url: string; response: ServerResponse }[] = [];

const site = fileFixture(() =>
  openTlsSite(({ url = '' }, response) => {
    if (url.startsWith('/slow')) held.push({ url, response });
    else if (url.startsWith('/gone')) response.writeHead(404).end();
    else response.end(image);
  }),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
const second = fileFixture(() =>
  startTestGateway({ DATABASE_URL: gateway.ctx.databaseUrl, DATA_DIR: gateway.ctx.dataDir }, site.network),
);
const finisher = fileFixture(async () => openFinisher(gateway.ctx));
const account = testFixture(() => openImageAccount(gateway));
afterEach(() => {
  expect(finisher).toBeDefined();
  for (const { response } of held) response.end(image);
  held = [];
});

const pathOf = (path: string) => account.pathOf(`https://images.example${path}`);
const rowsOf = () =>
  gateway.ctx.db.selectFrom('imageUrlResults').selectAll().where('accountId', '=', account.accountId).execute();
const jobsOf = () => gateway.ctx.db.selectFrom('jobs').selectAll().where('accountId', '=', account.accountId).execute();
const isHeld = (count: number) => waitUntil(() => held.length === count, { what: `${count} requests for originals` });

it('charges once for 50 parallel first requests at two gateways', async () => {
  const path = pathOf('/photo.png?parallel');
  const urls = Array.from({ length: 50 }, (_, index) => [gateway.url, second.url][index % 2] + path);
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 200));
  expect(site.requests.filter(({ url }) => url === '/photo.png?parallel')).toHaveLength(1);
  const ledger = await gateway.ctx.db
    .selectFrom('ledger')
    .select('kind')
    .where('accountId', '=', account.accountId)
    .where('jobId', 'is not', null)
    .orderBy('id')
    .execute();
  expect(ledger).toEqual([{ kind: 'reserve' }, { kind: 'settle' }]);
});

it('returns 503 at the deadline of the request while the original is fetched', async () => {
  const path = pathOf('/slow.png');
  const answer = await account.get(path, { prefer: 'wait=1' });
  expect([outcome(answer), answer.headers.get('retry-after')]).toEqual(['503 image_not_ready', '5']);
  held[0]?.response.end(image);
  expect((await account.get(path)).status).toBe(200);
  expect(held).toHaveLength(1);
});

it('claims an image with its slot, and rejects those beyond the queue', async () => {
  const busy = Array.from({ length: imageUrlRules.fetchSlots }, (_, index) => pathOf(`/slow.png?${index}`));
  const running = busy.map((path) => account.get(path));
  await isHeld(imageUrlRules.fetchSlots);
  const queued = Array.from({ length: imageUrlRules.fetchQueue }, (_, index) =>
    pathOf(index === 0 ? '/photo.png' : `/gone?${index}`),
  );
  const leave = { prefer: 'respond-async' };
  const waiting = await Promise.all(queued.map((path) => account.get(path, leave)));
  const beyond = await account.get(pathOf('/photo.png?beyond'));
  expect([...waiting, beyond].map(outcome)).toEqual([...waiting, beyond].map(() => '503 image_not_ready'));
  expect(beyond.headers.get('retry-after')).toBe('5');
  expect(await rowsOf()).toHaveLength(imageUrlRules.fetchSlots);
  // Images that wait here can be made by another gateway.
  expect((await fetch(second.url + (queued[0] ?? ''))).status).toBe(200);
  for (const { response } of held) response.end(image);
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(busy.map(() => 200));
  const wanted = busy.length + queued.length;
  await waitUntil(async () => (await rowsOf()).length === wanted, { what: 'the queued images' });
  expect(await jobsOf()).toHaveLength(busy.length + 1);
});

it.each([
  ['an error', 404],
  ['another original', 200],
])('stores nothing of a request whose claim has expired: %s', async (_what, status) => {
  const path = pathOf(`/slow.png?${status}`);
  const slow = account.get(path);
  await isHeld(1);
  const claim = (seconds: number) =>
    gateway.ctx.db
      .updateTable('imageUrlResults')
      .set({ claimedUntil: afterSeconds(seconds) })
      .where('accountId', '=', account.accountId)
      .execute();
  await claim(-1);
  const newer = fetch(second.url + path);
  await isHeld(2);
  const [before] = await rowsOf();
  const other = await makeImage({ width: 50, height: 30 });
  held[0]?.response.writeHead(status).end(status === 200 ? other : '');
  if (status === 200) await waitUntil(async () => (await jobsOf()).length === 1, { what: 'the job of the old claim' });
  // The old claim has ended when its slot is free: the same gateway then waits for the newer one.
  held[1]?.response.end(image);
  expect([(await newer).status, (await slow).status]).toEqual([200, 200]);
  const [after] = await rowsOf();
  expect(after).toMatchObject({ errorCode: null, claimedUntil: null });
  expect(before?.claimedUntil).not.toBeNull();
  const jobs = await jobsOf();
  const source = await gateway.ctx.db
    .selectFrom('objects')
    .select('size')
    .where('jobId', '=', after?.jobId ?? '')
    .where('kind', '=', 'source')
    .executeTakeFirst();
  expect(Number(source?.size)).toBe(image.length);
  expect(jobs).toHaveLength(status === 200 ? 2 : 1);
});

it('sends the stored result without waiting for its original', async () => {
  const path = pathOf('/slow.png?renew');
  const first = account.get(path);
  await isHeld(1);
  held[0]?.response.end(image);
  const etag = (await first).headers.get('etag');
  await gateway.ctx.db
    .updateTable('imageUrlResults')
    .set({ freshUntil: afterSeconds(-1) })
    .where('accountId', '=', account.accountId)
    .execute();
  // Results are looked up once a second.
  await waitUntil(
    async () => {
      const answer = await account.get(path, { prefer: 'respond-async' });
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, etag]);
      return held.length === 2;
    },
    { what: 'the renewal' },
  );
  held[1]?.response.end(image);
  await waitUntil(async () => (await rowsOf())[0]?.claimedUntil === null, { what: 'the renewed result' });
  expect(await jobsOf()).toHaveLength(1);
});
