import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { outcome, setPlan, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { openFinisher } from '../support/finish-job.ts';
import { openImageAccount } from '../support/image-urls.ts';
import { publicHost, startTestGateway } from '../support/start-test-gateway.ts';

const image = await makeImage({ width: 40, height: 30 });
const site = fileFixture(() => openTlsSite((_request, response) => response.end(image)));
const gateway = fileFixture(() => startTestGateway({}, site.network));
const finisher = fileFixture(async () => openFinisher(gateway.ctx));
const calls = openAccountCalls(gateway);
const original = 'https://images.example/photo.png';

it('shows the secret once, stores it encrypted, and is off by default', async () => {
  const owner = await signUpWithPlan(gateway);
  expect((await owner.client.getImageUrls()).data).toEqual({
    ...{ isEnabled: false, keyId: null, hosts: [], rotatedAt: null, formerUntil: null },
  });
  expect(outcome(await calls.postAs(owner, '/api/image-urls/rotate'))).toBe('409 image_urls_disabled');
  const body = { isEnabled: true, hosts: [' Images.Example ', '*.cdn.example', 'images.example'] };
  const { secret, ...shown } = (await owner.client.updateImageUrls({ body })).data;
  expect(secret).toMatch(/^upz_img_[\w-]{43}$/);
  expect(shown).toMatchObject({ isEnabled: true, hosts: ['images.example', '*.cdn.example'], formerUntil: null });
  expect((await owner.client.updateImageUrls({ body })).data.secret).toBeNull();
  expect((await owner.client.getImageUrls()).data).toEqual(shown);
  const row = await gateway.ctx.db
    .selectFrom('imageUrlSettings')
    .selectAll()
    .where('accountId', '=', owner.user.id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(secret);
});

it.each([
  'images',
  'https://images.example',
  'images.example/path',
  'images.example:8080',
  '10.0.0.1',
  '*',
  '*.example.*',
  'a b.example',
])('rejects the host "%s"', async (host) => {
  const owner = await signUpWithPlan(gateway);
  const answer = await owner.fetch(`${gateway.url}/api/image-urls`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ isEnabled: true, hosts: [host] }),
  });
  // A wildcard below a single label is a host name like any other.
  expect(outcome(answer)).toBe('422 invalid_parameter');
  expect((await owner.client.getImageUrls()).data.keyId).toBeNull();
});

it('requires a plan with the API and a confirmed email address, also when an image is made', async () => {
  const free = await gateway.signUp();
  await expect(free.client.updateImageUrls({ body: { isEnabled: true, hosts: [] } })).rejects.toMatchObject({
    code: 'plan_feature',
  });
  const account = await openImageAccount(gateway);
  await calls.change(account.owner, { emailVerified: false });
  const enabling = account.owner.client.updateImageUrls({ body: { isEnabled: true, hosts: [] } });
  await expect(enabling).rejects.toMatchObject({ code: 'email_unverified' });
  await setPlan(gateway, account.owner, 'free');
  const before = site.requests.length;
  expect(outcome(await account.get(account.pathOf(original)))).toBe('403 plan_feature');
  expect(site.requests.length).toBe(before);
});

it('signs URLs that work, for allowed hosts and valid options only', async () => {
  expect(finisher).toBeDefined();
  const account = await openImageAccount(gateway);
  const sign = (body: object) => calls.postAs(account.owner, '/api/image-urls/sign', body);
  const { url } = (await (await sign({ imageUrl: original, options: 'width:20' })).json()) as { url: string };
  expect(url).toBe(`http://${publicHost}${account.pathOf(original)}`);
  expect((await account.get(new URL(url).pathname)).status).toBe(200);
  expect(outcome(await sign({ imageUrl: 'https://other.example/a.png' }))).toBe('403 source_not_allowed');
  expect(outcome(await sign({ imageUrl: original, options: 'width:none' }))).toBe('422 invalid_parameter');
  expect(outcome(await sign({ imageUrl: 'photo.png' }))).toBe('422 url_not_allowed');
});

it('accepts both secrets during a rotation, and none while image URLs are disabled or the account is suspended', async () => {
  const account = await openImageAccount(gateway);
  const ask = async (key: string) => (await account.get(account.pathOf(original, 'width:20', key))).status;
  // Changed settings apply within a second.
  const until = (key: string, status: number) =>
    waitUntil(async () => (await ask(key)) === status, { what: `status ${status}` });
  const rotate = (overlapHours?: number) =>
    account.owner.client.rotateImageUrlSecret({ body: overlapHours === undefined ? null : { overlapHours } });
  expect(await ask(account.secret)).toBe(200);
  const { secret: second, formerUntil } = (await rotate()).data;
  expect(Number(new Date(formerUntil ?? 0)) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  await until(second ?? '', 200);
  expect(await ask(account.secret)).toBe(200);
  const { secret: third } = (await rotate(0)).data;
  await until(third ?? '', 200);
  expect([await ask(account.secret), await ask(second ?? '')]).toEqual([403, 403]);
  await account.owner.client.updateImageUrls({ body: { isEnabled: false, hosts: ['images.example'] } });
  await until(third ?? '', 403);
  await account.owner.client.updateImageUrls({ body: { isEnabled: true, hosts: ['images.example'] } });
  await until(third ?? '', 200);
  await calls.change(account.owner, { suspendedAt: new Date() });
  await until(third ?? '', 403);
});
