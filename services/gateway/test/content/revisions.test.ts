import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeFields, openEditor } from '../support/articles.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const admin = fileFixture(() => signUpAdmin(gateway));
const other = fileFixture(() => signUpAdmin(gateway, 'admin'));
const viewer = fileFixture(() => signUpAdmin(gateway, 'viewer'));
const open = () => openEditor(gateway.url, admin);

describe('revisions', () => {
  it('are listed page by page with their reasons, the newest first', async () => {
    const editor = open();
    const { id } = await editor.createPublic({ title: 'First' });
    const first = await admin.client.adminListRevisions({ params: { id }, query: { limit: 1 } });
    expect(first.data).toMatchObject([{ number: 2, reason: 'publish', title: 'First', by: { id: admin.user.id } }]);
    expect(first.headers.get('x-total-count')).toBe('2');
    expect(first.headers.get('link')).toContain('cursor=2');
    const { data } = await admin.client.adminListRevisions({ params: { id }, query: { cursor: 2 } });
    expect(data).toMatchObject([{ number: 1, reason: 'autosave' }]);
  });

  it('keep the last of the autosaves that one editor made within minutes, until a verb or another editor', async () => {
    const editor = open();
    const theirs = openEditor(gateway.url, other);
    const save = async (by: typeof editor, id: string, title: string) =>
      by.save(await editor.get(id), makeFields({ title }));
    const { id } = await editor.create();
    for (const title of ['One', 'Two', 'Three']) await save(editor, id, title);
    for (const title of ['Theirs', 'Their last']) await save(theirs, id, title);
    await editor.publish(await save(editor, id, 'Mine'));
    await save(editor, id, 'Later');
    const old = { createdAt: new Date(Date.now() - 11 * 60_000) };
    await gateway.ctx.db.updateTable('articleRevisions').set(old).where('articleId', '=', id).execute();
    await save(editor, id, 'Latest');
    const { data } = await admin.client.adminListRevisions({ params: { id } });
    expect(data.map(({ reason, title }) => [reason, title])).toEqual([
      ['autosave', 'Latest'],
      ['autosave', 'Later'],
      ['publish', 'Mine'],
      ['autosave', 'Mine'],
      ['autosave', 'Their last'],
      ['autosave', 'Three'],
    ]);
  });

  it('are restored to the draft only, without categories and slugs that it cannot have anymore', async () => {
    const editor = open();
    const { data: category } = await admin.client.adminCreateCategory({ body: { name: 'Short-lived' } });
    const saved = await editor.save(
      await editor.create(),
      makeFields({ slug: 'earlier', title: 'First', categoryIds: [category.id] }),
    );
    const { id } = saved;
    await editor.publish(saved);
    const published = await editor.publish(
      await editor.save(await editor.get(id), makeFields({ slug: 'second', title: 'Second' })),
    );
    await admin.client.adminDeleteCategory({ params: { id: category.id } });
    await editor.createPublic({ slug: 'earlier' });
    const revision = await admin.client.adminGetRevision({ params: { id, number: '1' } });
    expect(revision.data).toMatchObject({ title: 'First', fields: { slug: 'earlier', categoryIds: [category.id] } });
    const params = { id, number: '1' };
    const { body } = await editor.send('adminRestoreRevision', { params, body: { version: published.version } });
    expect(body).toMatchObject({
      title: 'First',
      hasChanges: true,
      fields: { slug: 'second', categoryIds: [] },
    });
    const post = await admin.client.getPost({ params: { slug: 'second' } });
    expect(post.data.title).toBe('Second');
    for (const number of ['99', '0', 'x', '1e9', '99999999999'])
      expect(await editor.send('adminGetRevision', { params: { id, number } })).toMatchObject({
        status: 404,
        code: 'revision_not_found',
      });
  });
});

describe('a preview link', () => {
  const read = async (token: string) => {
    const response = await fetch(`${gateway.url}/api/previews/${token}`, {
      headers: { accept: 'application/problem+json' },
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const tokenOf = (url: string) => url.split('/').at(-1) ?? '';

  it('shows the present draft to anyone, and is not stored or indexed', async () => {
    const editor = open();
    const saved = await editor.save(await editor.create(), makeFields({ title: 'Secret', content: '*Draft*' }));
    const { data: link } = await admin.client.adminCreatePreview({ params: { id: saved.id } });
    expect(link.url).toMatch(/^http:\/\/images\.example\/preview\/[\w-]{43}$/);
    const audits = gateway.ctx.db.selectFrom('audits').select('action').where('subject', '=', `article:${saved.id}`);
    expect(await audits.orderBy('createdAt').execute()).toEqual(
      ['create', 'edit', 'preview'].map((action) => ({ action: `article.${action}` })),
    );
    const token = tokenOf(link.url);
    const first = await read(token);
    expect(first.body).toMatchObject({ title: 'Secret', html: '<p><em>Draft</em></p>', expiresAt: link.expiresAt });
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('x-robots-tag')).toBe('noindex');
    const changed = await editor.save(saved, makeFields({ title: 'Changed', content: '**Draft**' }));
    const [again, too] = await Promise.all([read(token), read(token)]);
    expect(again.body).toMatchObject({ title: 'Changed', html: '<p><strong>Draft</strong></p>' });
    expect(too.body).toEqual(again.body);
    await editor.save(changed, makeFields({ content: '<b>raw</b>' }));
    expect(await read(token)).toMatchObject({ status: 422, body: { code: 'markup_invalid', meta: { line: 1 } } });
    const rows = await gateway.ctx.db.selectFrom('previewLinks').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('is not created by those who only read', async () => {
    const { id } = await open().create();
    const created = await openEditor(gateway.url, viewer).send('adminCreatePreview', { params: { id } });
    expect(created).toMatchObject({ status: 403, code: 'permission_missing' });
  });

  it('returns 404 when it is unknown or expired, and after the article was deleted', async () => {
    const editor = open();
    const { id } = await editor.createPublic();
    const link = async () => tokenOf((await admin.client.adminCreatePreview({ params: { id } })).data.url);
    const [expired, deleted] = [await link(), await link()];
    await gateway.ctx.db.updateTable('previewLinks').set({ expiresAt: new Date() }).execute();
    expect((await read(expired)).body.code).toBe('article_not_found');
    const live = await link();
    expect((await read(live)).status).toBe(200);
    await editor.send('adminDeleteArticle', { params: { id } });
    for (const token of [deleted, live, 'x', '%00'])
      expect(await read(token)).toMatchObject({ status: 404, body: { code: 'article_not_found' } });
  });
});
