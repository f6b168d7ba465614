import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { openChaos, serviceOf, startWorker } from './chaos.ts';

const chaos = fileFixture(async () => {
  const opened = await openChaos({ services: ['gateway', 'worker'] });
  await opened.product.db.updateTable('users').set({ role: 'admin' }).where('id', '=', opened.user.user.id).execute();
  return opened;
});

async function upload(path: string, field: string, bytes: Buffer) {
  const { product, user } = chaos;
  const body = new FormData();
  body.append(field, new File([new Uint8Array(bytes)], 'image'));
  const response = await user.fetch(`${product.url}/api/admin/media/${path}`, { method: 'POST', body });
  const answer = JSON.parse(await response.text());
  return (field === 'files' ? answer.files[0] : answer) as { id: string };
}

const stateOf = async (id: string) => (await chaos.user.client.adminGetMedia({ params: { id } })).data.state;
async function waitForState(id: string, state: 'ready' | 'failed') {
  await waitUntil(async () => (await stateOf(id)) === state, { what: `the file to be ${state}` });
}
async function load(path: string) {
  const response = await fetch(chaos.product.url + path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect(response.headers.get('cache-control')).toContain('immutable');
  return Buffer.from(await response.arrayBuffer());
}

it('makes WebP versions that are upright, in sRGB, transparent, and no larger than the original', async () => {
  const drawn = await makeImage({ width: 500, height: 700, alpha: true });
  const turned = await sharp(drawn).withMetadata({ orientation: 6 }).withIccProfile('p3').png().toBuffer();
  const { id } = await upload('upload', 'files', turned);
  await waitForState(id, 'ready');
  const versions = await Promise.all([320, 640, 700].map((width) => load(`/media/${id}/1/${width}.webp`)));
  const facts = await Promise.all(versions.map((bytes) => sharp(bytes).metadata()));
  expect(facts.map(({ width, height }) => [width, height])).toEqual([
    [320, 229],
    [640, 457],
    [700, 500],
  ]);
  for (const fact of facts) expect(fact).toMatchObject({ hasAlpha: true, space: 'srgb', hasProfile: false });
  expect(facts.map(({ orientation, exif }) => [orientation, exif])).toEqual(
    [...facts].map(() => [undefined, undefined]),
  );
  const upright = await sharp(turned).autoOrient().resize(32, 32, { fit: 'fill' }).flatten().raw().toBuffer();
  const shown = await sharp(versions[2]).resize(32, 32, { fit: 'fill' }).flatten().raw().toBuffer();
  const difference = upright.reduce((sum, value, at) => sum + Math.abs(value - (shown[at] ?? 0)), 0) / upright.length;
  expect(difference).toBeLessThan(4);
  expect((await fetch(`${chaos.product.url}/media/${id}/1/1280.webp`)).status).toBe(404);
});

it('makes the versions of a replacement and of an animation', async () => {
  const { id } = await upload('upload', 'files', await makeImage({ width: 2_000, height: 100, format: 'jpeg' }));
  await waitForState(id, 'ready');
  expect((await sharp(await load(`/media/${id}/1/1920.webp`)).metadata()).width).toBe(1_920);
  const frames = await Promise.all([1, 2, 3].map((seed) => makeImage({ width: 400, height: 300, seed })));
  const animation = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  await upload(`${id}/replace`, 'file', animation);
  await waitForState(id, 'ready');
  const small = await sharp(await load(`/media/${id}/2/320.webp`), { animated: true }).metadata();
  expect(small).toMatchObject({ width: 320, pageHeight: 240, pages: 3 });
});

it('fails visibly for an image that can not be decoded, and tries again when asked', async () => {
  const image = await makeImage({ width: 300, height: 300 });
  const start = image.indexOf('IDAT') + 4;
  image.fill(0xaa, start + 20, start + 2_000);
  const { id } = await upload('upload', 'files', image);
  await waitForState(id, 'failed');
  const standIn = await fetch(`${chaos.product.url}/media/${id}/1/300.webp`);
  expect([standIn.status, standIn.headers.get('content-type')]).toEqual([200, 'image/png']);
  const { data } = await chaos.user.client.adminRetryMedia({ params: { id } });
  expect(data.state).toBe('processing');
  await waitForState(id, 'failed');
  expect((await checkLedger(chaos.product)).errors).toEqual([]);
});

it('makes the versions of an image whose worker was killed meanwhile, and leaves nothing behind', async () => {
  const { product } = chaos;
  const { id } = await upload('upload', 'files', await makeImage({ width: 3_000, height: 2_000, format: 'jpeg' }));
  const rowOf = () => product.db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await waitUntil(async () => (await rowOf()).attempt === 1, { what: 'a claim' });
  await serviceOf(product, 'worker').end('SIGKILL');
  expect(await rowOf()).toMatchObject({ state: 'processing', failures: 0 });
  await product.db
    .updateTable('media')
    .set({ leaseUntil: new Date(0) })
    .where('id', '=', id)
    .execute();
  await startWorker(product);
  await waitForState(id, 'ready');
  expect((await rowOf()).attempt).toBe(2);
  expect((await sharp(await load(`/media/${id}/1/1920.webp`)).metadata()).height).toBe(1_280);
  expect((await checkLedger(product)).errors).toEqual([]);
});
