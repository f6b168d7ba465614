import type { Db } from '@uprez/db/database';
import { afterSeconds } from '@uprez/db/times';
import { renderStaleArticles } from '@uprez/domain/content/content-tasks';
import { deleteOldMedia, replaceMedia } from '@uprez/domain/media/change-media';
import { storeFile } from '@uprez/domain/media/store-file';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { afterEach, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const day = 86_400;
afterEach(async () => {
  expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
});

const editor = () => openEditor(gateway.url, admin);
const get = (path: string) => fetch(gateway.url + path);
const textOf = async (path: string) => (await get(path)).text();
async function send(path: string, field: string, bytes: Buffer | string) {
  const body = new FormData();
  body.append(field, new File([new Uint8Array(Buffer.from(bytes))], 'harbor.txt'));
  const response = await admin.fetch(`${gateway.url}/api/admin/media/${path}`, { method: 'POST', body });
  const answer = JSON.parse(await response.text());
  return (field === 'files' ? answer.files[0] : answer) as { id: string; version: number };
}
const image = (seed: number) => makeImage({ width: 400, height: 300, format: 'jpeg', seed });
const upload = async () => (await send('upload', 'files', await image(1))).id;
const replace = async (id: string) => send(`${id}/replace`, 'file', await image(2));
const remove = (id: string) => editor().send('adminDeleteMedia', { params: { id } });
/** What happens in the two days after a file was replaced. */
async function sweepLater() {
  const past = afterSeconds(-2 * day);
  await gateway.ctx.db
    .updateTable('mediaFiles')
    .set({ supersededAt: past })
    .where('supersededAt', 'is not', null)
    .execute();
  await deleteOldMedia(gateway.ctx);
  await deleteMarkedObjects(gateway.ctx, day);
}
/** A database that can't be reached after a transaction, as if the process was killed. */
const killedAfterCommit = (db: Db): Db => {
  let isKilled = false;
  return new Proxy(db, {
    get(target, name) {
      if (isKilled) throw new Error('killed');
      const execute = async (work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) => {
        const result = await target.transaction().execute(work);
        isKilled = true;
        return result;
      };
      const value: unknown = name === 'transaction' ? () => ({ execute }) : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};

it('keeps the files of all versions of a legal text as they were published', async () => {
  const [imageId, documentId] = [await upload(), (await send('upload', 'files', 'Annex')).id];
  const { data } = await admin.client.adminListArticles({ query: { kind: 'legal' } });
  const privacy = await editor().get(data.find(({ slug }) => slug === 'privacy-policy')?.id ?? '');
  const content = `![A](/media/${imageId}) [B](/media/${documentId})`;
  const published = await editor().publish(await editor().save(privacy, { ...privacy.fields, content }));
  await replace(imageId);
  const page = '/api/pages/privacy-policy';
  for (const path of [page, `${page}/versions/2`]) expect(await textOf(path)).toContain(`/media/${imageId}/1/400.webp`);
  // No longer used by any text.
  await editor().publish(await editor().save(published, { ...published.fields, content: 'None.' }));
  await sweepLater();
  expect((await get(`/media/${imageId}/1/original.jpg`)).status).toBe(200);
  expect((await get(`/media/${imageId}/1/400.webp`)).status).toBe(200);
  for (const id of [imageId, documentId]) {
    const places = [{ articleId: privacy.id, fields: ['legalVersion'], deleted: false }];
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'media_in_use', meta: { places } } });
    expect((await admin.client.adminGetMedia({ params: { id } })).data.uses).toBe(1);
  }
});

it('shows a replaced image although the process was killed before it rendered the articles', async () => {
  const id = await upload();
  await editor().createPublic({ slug: 'lake', content: `![](/media/${id})` });
  const { db, storage, log } = gateway.ctx;
  const inspect = async () => ({ width: 400, height: 300 }) as never;
  const file = { name: 'a.jpg', bytes: await image(3), isCut: false };
  const stored = await storeFile({ db, storage, log, inspect }, { file, signal: new AbortController().signal });
  const by = { accountId: admin.user.id, address: undefined, permission: 'media.manage' } as const;
  await replaceMedia({ db: killedAfterCommit(db), storage, log, inspect }, { admin: by, id, stored });
  const shown = () => textOf('/api/blog/posts/lake');
  expect(await shown()).toContain(`/media/${id}/1/400.webp`);
  await sweepLater();
  expect((await get(`/media/${id}/1/400.webp`)).status).toBe(200);
  await renderStaleArticles(gateway.ctx);
  expect(await shown()).toContain(`/media/${id}/2/400.webp`);
  expect(await renderStaleArticles(gateway.ctx)).toBe(0);
  await sweepLater();
  expect((await get(`/media/${id}/1/400.webp`)).status).toBe(404);
});

it('keeps the last version of an image that an article can show', async () => {
  const id = await upload();
  const { id: postId } = await editor().createPublic({ slug: 'old', content: `![](/media/${id})` });
  // The rules of texts became stricter.
  const contentMd = `![](/media/${id}) {{unknown}}`;
  await gateway.ctx.db.updateTable('articles').set({ contentMd }).where('id', '=', postId).execute();
  expect(await replace(id)).toMatchObject({ version: 2 });
  await sweepLater();
  const [, url = ''] = /src=\\?"([^"\\]+)/.exec(await textOf('/api/blog/posts/old')) ?? [];
  expect(url).toBe(`/media/${id}/1/400.webp`);
  expect((await get(url)).status).toBe(200);
});

it('serves pages from before an image was replaced whose smaller versions were not made yet', async () => {
  const id = await upload();
  await replace(id);
  const early = await get(`/media/${id}/1/320.webp`);
  expect([early.status, early.headers.get('cache-control')]).toEqual([200, 'public, max-age=10']);
  expect((await get(`/media/${id}/1/x.webp`)).status).toBe(404);
});
