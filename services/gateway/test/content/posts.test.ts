import { articleLimits } from '@uprez/contracts/policy/articles';
import type { Post, PostPage } from '@uprez/contracts/schemas/content/posts';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeFields, openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it deletes the first pages.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('articles').execute();
  await gateway.ctx.db.deleteFrom('categories').execute();
});

const open = () => openEditor(gateway.url, admin);
const text = { title: 'Larger images', content: 'Upscale images.' };
const create = (body: object) => open().send('adminCreatePost', { body: { ...text, ...body } });
const update = (id: string, body: object) =>
  open().send('adminUpdatePost', { params: { id }, body: { ...text, ...body } });
const list = async (query = '') => (await (await fetch(`${gateway.url}/api/blog/posts${query}`)).json()) as PostPage;
const titlesOf = ({ posts }: PostPage) => posts.map(({ title }) => title);

describe('a post in one request', () => {
  it('is created as the status says, with the fields of the first version of the form', async () => {
    const old = { ...text, excerpt: '', status: 'draft', slug: '', featuredImage: '' };
    const draft = await open().send('adminCreatePost', { body: old });
    expect(draft).toMatchObject({ status: 201, body: { status: 'draft', slug: 'larger-images', publishedAt: null } });
    expect(draft.body.author).toEqual({ firstName: 'Ada', email: admin.email });
    const published = await create({ status: 'published' });
    expect(published.body).toMatchObject({ status: 'published', slug: 'larger-images-2' });
    expect(titlesOf(await list())).toEqual(['Larger images']);
    const image = await create({ featuredImage: 'https://evil.example/a.png' });
    expect(image).toMatchObject({ status: 422, code: 'invalid_parameter', body: { param: 'featuredImage' } });
    expect(await create({ title: ' ' })).toMatchObject({ status: 422, body: { param: 'title' } });
    expect(await create({ content: '<b>', status: 'published' })).toMatchObject({ code: 'markup_invalid' });
    expect(await create({ slug: 'larger-images' })).toMatchObject({ code: 'slug_taken', body: { param: 'slug' } });
  });

  it('needs a time in the future to be scheduled, and one in the past to be published at it', async () => {
    const past = '2026-01-02T03:04:05.000Z';
    const future = '2100-01-01T00:00:00.000Z';
    for (const body of [
      { status: 'scheduled' },
      { status: 'scheduled', publishedAt: past },
      { status: 'published', publishedAt: future },
    ])
      expect(await create(body)).toMatchObject({
        status: 422,
        code: 'invalid_parameter',
        body: { param: 'publishedAt', detail: expect.stringMatching(/time/) },
      });
    for (const publishedAt of ['1999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '2101-01-01T00:00:00Z'])
      expect(await create({ status: 'published', publishedAt })).toMatchObject({
        status: 422,
        code: 'invalid_parameter',
        body: { param: 'publishedAt', detail: 'Choose a time between the years 2000 and 2100.' },
      });
    expect(await gateway.ctx.db.selectFrom('articles').select('id').execute()).toEqual([]);
    const scheduled = await create({ status: 'scheduled', publishedAt: future });
    expect(scheduled.body).toMatchObject({ status: 'scheduled', publishedAt: future });
    const published = await update(scheduled.body.id, { status: 'published', publishedAt: past });
    expect(published.body).toMatchObject({ status: 'published', publishedAt: past });
    const late = await update(scheduled.body.id, { status: 'scheduled', publishedAt: future });
    expect(late).toMatchObject({ status: 422, body: { param: 'status' } });
  });

  it('keeps what an update leaves out', async () => {
    const { data: category } = await admin.client.adminCreateCategory({ body: { name: 'News' } });
    const seo = { title: 'SEO', description: 'Text.' };
    const future = '2100-01-01T00:00:00.000Z';
    const kept = { excerpt: 'Short.', slug: 'kept', categoryIds: [category.id], seo };
    const { body: post } = await create({ ...kept, status: 'scheduled', publishedAt: future });
    const { body: updated } = await update(post.id, { title: 'Newer' });
    expect(updated).toMatchObject({ ...kept, title: 'Newer', status: 'scheduled', publishedAt: future });
    expect(updated.categoryNames).toEqual(['News']);
    const { body: published } = await update(post.id, { status: 'published' });
    const { body: again } = await update(post.id, { content: 'Newest.' });
    expect(again).toMatchObject({ ...kept, status: 'published', publishedAt: published.publishedAt });
    const { data } = await admin.client.getPost({ params: { slug: 'kept' } });
    expect(data).toMatchObject({ html: '<p>Newest.</p>', seo, categories: [{ name: 'News', slug: 'news' }] });
    expect((await update(post.id, { status: 'draft' })).body).toMatchObject({ ...kept, status: 'draft' });
    expect(titlesOf(await list())).toEqual([]);
  });

  it('keeps what is public or scheduled, not what an editor has not published yet', async () => {
    const editor = open();
    const { data: category } = await admin.client.adminCreateCategory({ body: { name: 'News' } });
    const kept = { excerpt: 'Short.', categoryIds: [category.id], seo: { title: 'SEO', description: 'Text.' } };
    const unpublished = { slug: 'unfinished', excerpt: 'Unfinished.', featured: true };
    const future = '2100-01-01T00:00:00.000Z';
    for (const [slug, status] of [
      ['public', { status: 'published' }],
      ['scheduled', { status: 'scheduled', publishedAt: future }],
    ] as const) {
      const { body: post } = await create({ ...kept, slug, ...status });
      await editor.save(await editor.get(post.id), makeFields(unpublished));
      expect((await update(post.id, {})).body).toMatchObject({ ...kept, slug, status: status.status });
      expect(await editor.get(post.id)).toMatchObject({ featured: false, hasChanges: false });
    }
    const draft = await editor.save(await editor.create(), makeFields(unpublished));
    expect((await update(draft.id, {})).body).toMatchObject({ slug: 'unfinished', excerpt: 'Unfinished.' });
    expect(await editor.get(draft.id)).toMatchObject({ featured: true });
  });

  it('is listed for administrators, and deleted', async () => {
    const ids = [];
    for (const title of ['A', 'B', 'C']) ids.unshift(((await create({ title })).body as Post).id);
    const { data, headers } = await admin.client.adminListPosts({ query: { limit: 2 } });
    expect(data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(headers.get('x-total-count')).toBe('3');
    const params = { id: ids[0] ?? '' };
    expect((await open().send('adminDeletePost', { params })).status).toBe(204);
    expect(await update(params.id, {})).toMatchObject({ status: 404, code: 'article_not_found' });
    const help = (await admin.client.adminCreateArticle({ body: { kind: 'help' } })).data;
    expect(await update(help.id, {})).toMatchObject({ status: 404, code: 'article_not_found' });
    expect(await open().send('adminDeletePost', { params: { id: help.id } })).toMatchObject({ status: 404 });
  });

  it('conflicts with an editor that was open meanwhile', async () => {
    const editor = open();
    const saved = await editor.save(await editor.create(), makeFields());
    await update(saved.id, { title: 'Theirs' });
    const body = { fields: makeFields({ title: 'Mine' }), version: saved.version, tab: editor.tab };
    expect(await editor.send('adminSaveDraft', { params: { id: saved.id }, body })).toMatchObject({
      code: 'edit_conflict',
      body: { meta: { fields: { title: 'Theirs' } } },
    });
  });
});

describe('the public list', () => {
  it('has pages with the latest posts first, and the featured one on the first page only', async () => {
    const count = articleLimits.postsPerPage + 2;
    for (let day = 1; day <= count; day += 1) {
      const publishedAt = `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;
      await create({ title: `Post ${day}`, status: 'published', publishedAt });
    }
    await create({ title: 'Draft' });
    const { posts } = await list();
    expect(posts.map(({ title }) => title).slice(0, 2)).toEqual([`Post ${count}`, `Post ${count - 1}`]);
    expect(titlesOf(await list('?page=2'))).toEqual(['Post 2', 'Post 1']);
    await gateway.ctx.db.updateTable('articles').set({ featured: true }).where('slug', '=', 'post-3').execute();
    const first = await list();
    expect(first).toMatchObject({ featured: { title: 'Post 3' }, page: 1, pages: 2 });
    const second = await list('?page=2');
    expect(second.featured).toBeNull();
    const all = [...titlesOf(first), ...titlesOf(second)];
    expect(all).not.toContain('Post 3');
    expect(new Set(all).size).toBe(count - 1);
    expect(await list('?page=3')).toMatchObject({ posts: [], pages: 2 });
  });

  it('is filtered by a category, which counts its public posts', async () => {
    const { data: news } = await admin.client.adminCreateCategory({ body: { name: 'Product news' } });
    await admin.client.adminCreateCategory({ body: { name: 'Empty' } });
    await create({ title: 'In', status: 'published', categoryIds: [news.id] });
    await create({ title: 'Hidden', categoryIds: [news.id] });
    await create({ title: 'Out', status: 'published' });
    expect(titlesOf(await list('?category=product-news'))).toEqual(['In']);
    const { data } = await admin.client.listCategories();
    expect(data.map(({ name, posts }) => [name, posts])).toEqual([
      ['Product news', 1],
      ['Empty', 0],
    ]);
    for (const category of ['none', '%00', "'"]) {
      const missing = await fetch(`${gateway.url}/api/blog/posts?category=${category}`);
      expect(missing.headers.get('x-error-code')).toBe('category_not_found');
    }
  });

  it('returns 404 for any text that is no slug', async () => {
    for (const slug of ['none', '%00', '..%2f', "'--"]) {
      const response = await fetch(`${gateway.url}/api/blog/posts/${slug}`);
      expect([slug, response.status, response.headers.get('x-error-code')]).toEqual([slug, 404, 'article_not_found']);
    }
  });
});

describe('a category', () => {
  const send = (name: 'adminCreateCategory' | 'adminUpdateCategory', body: object, id = '') =>
    open().send(name, { params: { id }, body });

  it('has a name and a slug that no other one has, in any case of letters', async () => {
    const { body: news } = await send('adminCreateCategory', { name: 'News' });
    expect(news).toMatchObject({ slug: 'news', description: '', posts: 0 });
    for (const [body, param] of [
      [{ name: 'NEWS' }, 'name'],
      [{ name: 'news', slug: 'other' }, 'name'],
      [{ name: 'Other', slug: 'news' }, 'slug'],
    ] as const)
      expect(await send('adminCreateCategory', body)).toMatchObject({
        status: 422,
        code: 'slug_taken',
        body: { param },
      });
    const { body: other } = await send('adminCreateCategory', { name: 'Other', description: 'Text.' });
    expect(await send('adminUpdateCategory', { name: 'News' }, other.id)).toMatchObject({ code: 'slug_taken' });
    const { body: renamed } = await send('adminUpdateCategory', { name: 'Guides' }, other.id);
    expect(renamed).toMatchObject({ name: 'Guides', slug: 'other', description: 'Text.' });
    expect((await send('adminUpdateCategory', { slug: '' }, other.id)).body).toMatchObject({ slug: 'guides' });
    const rows = await gateway.ctx.db
      .selectFrom('audits')
      .select('action')
      .where('subject', '=', `category:${other.id}`);
    expect((await rows.execute()).map(({ action }) => action).sort()).toEqual([
      'category.create',
      'category.update',
      'category.update',
    ]);
  });

  it('gets a slug from its name, with a number if it is taken', async () => {
    const slugs = [];
    for (const name of ['C++', 'C#', '日本語', '★', '☆', 'Category 2'])
      slugs.push((await send('adminCreateCategory', { name })).body.slug);
    expect(slugs).toEqual(['c', 'c-2', 'ri-ben-yu', 'category', 'category-2', 'category-2-2']);
  });

  it('disappears from articles and drafts when it is deleted', async () => {
    const { data: category } = await admin.client.adminCreateCategory({ body: { name: 'Gone' } });
    const { id } = await open().createPublic({ slug: 'in', categoryIds: [category.id] });
    await admin.client.adminDeleteCategory({ params: { id: category.id } });
    const { data } = await admin.client.getPost({ params: { slug: 'in' } });
    expect(data.categories).toEqual([]);
    expect(await open().get(id)).toMatchObject({ hasChanges: false, categories: [], fields: { categoryIds: [] } });
    expect(await open().send('adminDeleteCategory', { params: { id: category.id } })).toMatchObject({
      status: 404,
      code: 'category_not_found',
    });
  });
});
