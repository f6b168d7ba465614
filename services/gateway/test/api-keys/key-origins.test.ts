import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { describe, expect, it } from 'vitest';
import { changeKeyRow, makeKey, outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { finishJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const owner = fileFixture(() => signUpWithPlan(gateway));
const image = await makeImage({ width: 40, height: 30 });

const shop = 'https://shop.example';
const other = 'https://other.example';
const stranger = 'https://evil.example';

const ask = (path: string, { origin, key, ...init }: RequestInit & { origin: string; key?: string }) =>
  fetch(gateway.url + path, {
    ...init,
    headers: { origin, ...(key && { authorization: `Bearer ${key}` }), ...init.headers },
  });
const preflight = (origin: string, path = '/v1/process') =>
  ask(path, { origin, method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } });
const allowed = (response: Response) => response.headers.get('access-control-allow-origin');
/** Waits until the list of all origins is read again. */
const waitForPreflight = (origin: string, expected: string | null) =>
  expect.poll(async () => allowed(await preflight(origin)), { timeout: 10_000 }).toBe(expected);

describe('the allowed origins of an API key', () => {
  it('allow their pages to use this key only, and are changed and removed at once', async () => {
    const mine = await makeKey(owner, { allowedOrigins: [shop], kind: 'test' });
    const another = await makeKey(owner, { allowedOrigins: [other] });
    const plain = await makeKey(owner);
    const account = async (origin: string, key: string) => {
      const response = await ask('/v1/account', { origin, key });
      expect([response.status, response.headers.get('vary')]).toEqual([200, expect.stringMatching(/\bOrigin\b/)]);
      return allowed(response);
    };
    await waitForPreflight(shop, shop);
    await waitForPreflight(other, other);
    expect(allowed(await preflight(stranger))).toBeNull();
    expect([await account(shop, mine.key), await account(other, mine.key)]).toEqual([shop, null]);
    expect([await account(shop, another.key), await account(shop, plain.key)]).toEqual([null, null]);
    const change = (allowedOrigins: string[]) =>
      owner.client.updateApiKey({ params: { id: mine.id }, body: { allowedOrigins } });
    await change([other]);
    expect([await account(shop, mine.key), await account(other, mine.key)]).toEqual([null, other]);
    await change([]);
    expect(await account(other, mine.key)).toBeNull();
    await waitForPreflight(shop, null);
  });

  it('let pages read errors of the key, and errors without a key', async () => {
    const { key, id } = await makeKey(owner, { allowedOrigins: [shop] });
    await waitForPreflight(shop, shop);
    const rejected = await ask('/v1/process', { origin: shop, key, method: 'POST' });
    expect([outcome(rejected), allowed(rejected)]).toEqual(['400 no_image', shop]);
    const keyless = await ask('/v1/account', { origin: shop });
    expect([outcome(keyless), allowed(keyless)]).toEqual(['401 bad_api_key', shop]);
    await owner.client.toggleApiKey({ params: { id }, body: { isActive: false } });
    const inactive = await ask('/v1/account', { origin: shop, key });
    expect([outcome(inactive), allowed(inactive)]).toEqual(['401 bad_api_key', shop]);
    await waitForPreflight(shop, null);
  });

  it('include the results of jobs of this key, by their job and by their signed URL, until the key is deleted', async () => {
    const { key, id } = await makeKey(owner, { allowedOrigins: [shop] });
    await makeKey(owner, { allowedOrigins: [other] });
    await waitForPreflight(other, other);
    const created = await ask('/v1/process', {
      origin: shop,
      key,
      method: 'POST',
      body: new Blob([new Uint8Array(image)]),
      headers: { 'content-type': 'image/png', prefer: 'respond-async' },
    });
    const { id: jobId } = (await created.json()) as { id: string };
    await finishJob(gateway.ctx, jobId, 'the bytes of a result');
    const path = `/v1/jobs/${jobId}`;
    const { download_url: link } = (await (await ask(path, { origin: shop, key })).json()) as { download_url: string };
    const { pathname, search } = new URL(link);
    const signed = pathname + search;
    const read = async (url: string, origin: string, secret?: string) => {
      const response = await ask(url, { origin, ...(secret !== undefined && { key: secret }) });
      return [response.status, await response.text(), allowed(response)];
    };
    const bytes = 'the bytes of a result';
    expect(await read(`${path}/result`, shop, key)).toEqual([200, bytes, shop]);
    expect(await read(`${path}/result`, other, key)).toEqual([200, bytes, null]);
    expect(await read(signed, shop)).toEqual([200, bytes, shop]);
    for (const origin of [other, stranger]) expect(await read(signed, origin)).toEqual([200, bytes, null]);
    // Rotated keys expire, and their results stay.
    await changeKeyRow(gateway, id, { expiresAt: new Date(0) });
    expect(await read(signed, shop)).toEqual([200, bytes, shop]);
    await owner.client.deleteApiKey({ params: { id } });
    expect(await read(signed, shop)).toEqual([200, bytes, null]);
  });

  it('are copied to the key that replaces it', async () => {
    const { id } = await makeKey(owner, { allowedOrigins: [shop] });
    const { data: after } = await owner.client.rotateApiKey({ params: { id }, body: {} });
    expect(after.allowedOrigins).toEqual([shop]);
  });
});
