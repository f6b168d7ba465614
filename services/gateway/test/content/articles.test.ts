import { randomUUID } from 'node:crypto';
import { articleLimits } from '@uprez/contracts/policy/articles';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeFields, openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it deletes the first pages.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway, 'editor'));
const other = fileFixture(() => signUpAdmin(gateway, 'admin'));
const visitor = { fetch };

let editor: ReturnType<typeof openEditor>;
beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('articles').execute();
  editor = openEditor(gateway.url, admin);
});
const read = async (slug: string) => {
  const response = await visitor.fetch(`${gateway.url}/api/blog/posts/${slug}`);
  return { status: response.status, code: response.headers.get('x-error-code'), text: await response.text() };
};
const audits = async (id: string) =>
  (
    await gateway.ctx.db
      .selectFrom('audits')
      .select('action')
      .where('subject', '=', `article:${id}`)
      .orderBy('id')
      .execute()
  )
    .map(({ action }) => action)
    .sort();

describe('an article', () => {
  it('is public after it was published, and not before', async () => {
    const created = await editor.create();
    expect(created).toMatchObject({ status: 'draft', version: 0, saved: null, hasChanges: false });
    const saved = await editor.save(created, makeFields({ slug: 'larger' }));
    expect(await read('larger')).toMatchObject({ status: 404, code: 'article_not_found' });
    const published = await editor.publish(saved);
    expect(published).toMatchObject({
      status: 'published',
      url: 'http://images.example/blog/larger',
      hasChanges: false,
      saved: { by: { id: admin.user.id } },
    });
    const post = JSON.parse((await read('larger')).text);
    expect(post).toMatchObject({ title: 'Larger images', slug: 'larger', author: 'Ada', readingMinutes: 1 });
    expect(post.html).toContain('<strong>images</strong>');
    expect(await audits(created.id)).toEqual(['article.create', 'article.edit', 'article.publish']);
  });

  it('is created once if its editor repeats the request with the same ID', async () => {
    const id = randomUUID();
    const create = (by = editor, kind = 'post') => by.send('adminCreateArticle', { body: { kind, id } });
    const [first, second] = await Promise.all([create(), create()]);
    expect([first, second].map(({ status, body }) => [status, body.id])).toEqual([
      [201, id],
      [201, id],
    ]);
    const { version } = await editor.save(first.body, makeFields());
    expect((await create()).body).toMatchObject({ id, version, title: 'Larger images' });
    expect(await audits(id)).toEqual(['article.create', 'article.edit']);
    expect((await create(editor, 'help')).code).toBe('article_not_found');
    expect((await create(openEditor(gateway.url, other))).code).toBe('article_not_found');
    await editor.send('adminDeleteArticle', { params: { id } });
    expect((await create()).code).toBe('article_not_found');
  });

  it('keeps its public text while the draft changes, until the changes are published or discarded', async () => {
    const published = await editor.createPublic({ slug: 'larger' });
    const saved = await editor.save(published, makeFields({ slug: 'newer', title: 'Newer' }));
    expect(await editor.get(saved.id)).toMatchObject({ title: 'Newer', hasChanges: true, publicSlug: 'larger' });
    expect((await read('larger')).text).toContain('Larger images');
    const params = { id: saved.id };
    const discarded = await editor.send('adminDiscardDraft', { params, body: { version: saved.version } });
    expect(discarded.body).toMatchObject({ title: 'Larger images', hasChanges: false });
    const again = await editor.save(discarded.body, makeFields({ slug: 'larger', title: 'Newest' }));
    const { publishedAt } = await editor.publish(again);
    expect(publishedAt).toBe(published.publishedAt);
    expect((await read('larger')).text).toContain('Newest');
  });

  it('has no changes after they were undone by hand', async () => {
    const published = await editor.createPublic({ slug: 'larger' });
    const saved = await editor.save(published, makeFields({ slug: 'larger', title: 'Newer' }));
    await editor.save(saved, makeFields({ slug: 'larger' }));
    expect(await editor.get(saved.id)).toMatchObject({ hasChanges: false });
  });

  it('gets a slug from its title when it is published, with a number if it is taken', async () => {
    const [first, second] = [await editor.createPublic({ title: 'Naïve & café' }), await editor.create()];
    expect(first.slug).toBe('naive-cafe');
    const published = await editor.publish(await editor.save(second, makeFields({ title: 'Naive, cafe!' })));
    expect(published).toMatchObject({ slug: 'naive-cafe-2', fields: { slug: 'naive-cafe-2' } });
    expect(published.slug).not.toBe(first.slug);
  });

  it('gets a slug of its own when several are published at once', async () => {
    const theirs = openEditor(gateway.url, other);
    // Writes of one administrator are serialized anyway.
    const published = await Promise.all(
      [editor, theirs, editor, theirs].map((one) => one.createPublic({ title: 'Same' })),
    );
    expect(published.map(({ slug }) => slug).sort()).toEqual(['same', 'same-2', 'same-3', 'same-4']);
  });

  it('is a draft again after it was unpublished, and keeps its slug', async () => {
    const { id, version } = await editor.createPublic({ slug: 'larger' });
    const draft = await editor.send('adminUnpublishArticle', { params: { id }, body: { version } });
    expect(draft.body).toMatchObject({ status: 'draft', publishedAt: null, slug: 'larger', publicSlug: null });
    expect(await read('larger')).toMatchObject({ status: 404, code: 'article_not_found' });
    expect(await audits(id)).toEqual(['article.create', 'article.edit', 'article.publish', 'article.unpublish']);
  });

  it('can be restored after it was deleted, unless its slug was taken', async () => {
    const { id } = await editor.createPublic({ slug: 'larger' });
    const params = { id };
    expect((await editor.send('adminDeleteArticle', { params })).status).toBe(204);
    expect(await read('larger')).toMatchObject({ status: 404, code: 'article_not_found' });
    for (const name of ['adminDeleteArticle', 'adminGetArticle'] as const)
      expect(await editor.send(name, { params })).toMatchObject({ status: 404, code: 'article_not_found' });
    expect((await editor.send('adminRestoreArticle', { params })).body).toMatchObject({ status: 'published' });
    expect((await read('larger')).status).toBe(200);
    await editor.send('adminDeleteArticle', { params });
    await editor.createPublic({ slug: 'larger' });
    expect(await editor.send('adminRestoreArticle', { params })).toMatchObject({
      code: 'slug_taken',
      body: { param: 'slug' },
    });
    await gateway.ctx.db
      .updateTable('articles')
      .set({ deletedAt: new Date(Date.now() - (articleLimits.deletedDays + 1) * 86_400_000) })
      .where('id', '=', id)
      .execute();
    expect(await editor.send('adminRestoreArticle', { params })).toMatchObject({ code: 'article_not_found' });
  });
});

describe('a restored article', () => {
  const deleted = async (changes: object) => {
    const { id } = await editor.createPublic({ slug: 'larger' });
    await editor.save(await editor.get(id), makeFields(changes));
    await editor.send('adminDeleteArticle', { params: { id } });
    return { id };
  };

  it('keeps its public slug when another draft has the slug of its own draft', async () => {
    const params = await deleted({ slug: 'wanted', title: 'Newer' });
    const theirs = await editor.save(await editor.create(), makeFields({ slug: 'wanted' }));
    const { body } = await editor.send('adminRestoreArticle', { params });
    expect(body).toMatchObject({ slug: 'larger', hasChanges: true, fields: { title: 'Newer' } });
    expect(await editor.publish(theirs)).toMatchObject({ slug: 'wanted' });
    expect(await editor.publish(body)).toMatchObject({ slug: 'larger', title: 'Newer' });
  });

  it('is not restored while another draft has its public slug', async () => {
    const params = await deleted({ slug: 'larger' });
    const theirs = await editor.save(await editor.create(), makeFields({ slug: 'larger' }));
    expect(await editor.send('adminRestoreArticle', { params })).toMatchObject({ code: 'slug_taken' });
    expect(await editor.publish(theirs)).toMatchObject({ slug: 'larger' });
  });
});

describe('a former slug', () => {
  it('leads to the article, until another article takes it', async () => {
    const first = await editor.createPublic({ slug: 'old' });
    await editor.publish(await editor.save(first, makeFields({ slug: 'new' })));
    expect(JSON.parse((await read('old')).text)).toMatchObject({ slug: 'new' });
    const second = await editor.createPublic({ slug: 'old', title: 'Other' });
    expect(JSON.parse((await read('old')).text)).toMatchObject({ slug: 'old', title: 'Other' });
    await editor.send('adminDeleteArticle', { params: { id: second.id } });
    expect(await read('old')).toMatchObject({ status: 404, code: 'article_not_found' });
  });
});

describe('a rejected save', () => {
  const send = async (id: string, body: object) => editor.send('adminSaveDraft', { params: { id }, body });

  it('returns 409 with the text of the other tab, and its author without the email address', async () => {
    const created = await editor.create();
    const theirs = openEditor(gateway.url, other);
    const saved = await theirs.save(created, makeFields({ title: 'Theirs' }));
    const { tab } = editor;
    const mine = { fields: makeFields({ title: 'Mine' }), version: created.version, tab };
    const conflict = await send(created.id, mine);
    expect(conflict).toMatchObject({
      status: 409,
      code: 'edit_conflict',
      body: { meta: { version: saved.version, fields: { title: 'Theirs' }, by: { firstName: 'Ada' } } },
    });
    expect(conflict.body.meta.by.email).not.toBe(other.email);
    expect(await editor.get(created.id)).toMatchObject({ title: 'Theirs' });
    expect((await send(created.id, { ...mine, version: saved.version })).status).toBe(200);
    expect(await editor.get(created.id)).toMatchObject({ title: 'Mine' });
  });

  it('is one of two that were sent at once', async () => {
    const { id } = await editor.create();
    const tabs = [randomUUID(), randomUUID()];
    const saved = await Promise.all(
      tabs.map((tab) => send(id, { fields: makeFields({ title: tab }), version: 0, tab })),
    );
    expect(saved.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('never comes from the same tab, whether it repeats a save or is late', async () => {
    const created = await editor.create();
    const { tab } = editor;
    for (const title of ['One', 'Two', 'Two', 'Three'])
      expect((await send(created.id, { fields: makeFields({ title }), version: 0, tab })).status).toBe(200);
    expect(await editor.get(created.id)).toMatchObject({ title: 'Three', version: 3 });
  });

  it('follows a restored text, as it was not in the tab', async () => {
    const saved = await editor.save(await editor.create(), makeFields());
    const params = { id: saved.id, number: '1' };
    const theirs = openEditor(gateway.url, other);
    await theirs.send('adminRestoreRevision', { params, body: { version: saved.version } });
    const late = { fields: makeFields({ title: 'Late' }), version: saved.version, tab: editor.tab };
    expect(await send(saved.id, late)).toMatchObject({ status: 409, code: 'edit_conflict' });
  });

  it('names the field, and keeps the draft', async () => {
    await editor.createPublic({ slug: 'taken' });
    await editor.save(await editor.create(), makeFields({ slug: 'reserved' }));
    const kept = await editor.save(await editor.create(), makeFields({ title: 'Kept' }));
    const save = (changes: object) =>
      send(kept.id, { fields: { ...makeFields(), ...changes }, version: kept.version, tab: editor.tab });
    for (const slug of ['taken', 'reserved'])
      expect(await save({ slug })).toMatchObject({ status: 422, code: 'slug_taken', body: { param: 'slug' } });
    const large = 'ä'.repeat(50_500);
    for (const [field, value] of [
      ['content', large],
      ['slug', 'Not A Slug'],
      ['slug', '"><script>'],
      ['title', 'x'.repeat(articleLimits.titleLength + 1)],
    ] as const)
      expect(await save({ [field]: value })).toMatchObject({
        status: 422,
        code: 'invalid_parameter',
        body: { param: `fields/${field}` },
      });
    expect(await save({ categoryIds: [randomUUID()] })).toMatchObject({ status: 404, code: 'category_not_found' });
    expect(await editor.get(kept.id)).toMatchObject({ title: 'Kept', version: kept.version });
    // Quotation marks are two bytes each in JSON.
    expect((await save({ content: '"'.repeat(articleLimits.contentBytes) })).status).toBe(200);
  });
});

describe('publishing', () => {
  const publish = (id: string, body: object) => editor.send('adminPublishArticle', { params: { id }, body });

  it('returns 422 with the line of a text that cannot be published, and keeps the draft', async () => {
    for (const [content, line] of [
      ['Text.\n\n<script>alert(1)</script>', 3],
      ['Note[^1].\n\n[^1]: Here.', 1],
      ['![](https://evil.example/a.png)', 1],
      [`Costs {{plans.none.price}}.`, 1],
    ] as const) {
      const saved = await editor.save(await editor.create(), makeFields({ content }));
      expect(await publish(saved.id, { version: saved.version })).toMatchObject({
        status: 422,
        code: 'markup_invalid',
        body: { param: 'content', meta: { line } },
      });
      expect(await editor.get(saved.id)).toMatchObject({ status: 'draft', fields: { content } });
    }
  });

  it('needs a title, a text, and the present version', async () => {
    const saved = await editor.save(await editor.create(), makeFields({ title: '' }));
    const { id, version } = saved;
    expect(await publish(id, { version })).toMatchObject({ code: 'invalid_parameter', body: { param: 'title' } });
    const empty = await editor.save(saved, makeFields({ content: ' \n' }));
    expect(await publish(id, { version: empty.version })).toMatchObject({ body: { param: 'content' } });
    expect(await publish(id, { version })).toMatchObject({ status: 409, code: 'edit_conflict' });
  });

  it('escapes a title that looks like HTML', async () => {
    const title = '<img src=x onerror=alert(1)>';
    const { slug } = await editor.createPublic({ title, content: '`<b>`' });
    expect(slug).toBe('img-src-x-onerror-alert-1');
    const post = JSON.parse((await read(slug)).text);
    expect(post).toMatchObject({ title, html: expect.stringContaining('&#x3C;b>') });
  });

  it('takes a time in the future, and only for articles that are not public', async () => {
    const saved = await editor.save(await editor.create(), makeFields({ slug: 'later' }));
    const { id, version } = saved;
    const past = await publish(id, { version, publishAt: '2020-01-01T00:00:00Z' });
    expect(past).toMatchObject({ status: 422, code: 'invalid_parameter', body: { param: 'publishAt' } });
    const scheduled = await editor.publish(saved, '2100-01-01T01:00:00+01:00');
    expect(scheduled).toMatchObject({ status: 'scheduled', publishAt: '2100-01-01T00:00:00.000Z', publishedAt: null });
    expect(await read('later')).toMatchObject({ status: 404, code: 'article_not_found' });
    const published = await editor.publish(scheduled);
    const late = await publish(id, { version: published.version, publishAt: '2100-01-01T00:00:00Z' });
    expect(late).toMatchObject({ status: 422, code: 'invalid_parameter', body: { param: 'publishAt' } });
    expect(await audits(id)).toEqual(['article.create', 'article.edit', 'article.publish', 'article.schedule']);
  });
});
