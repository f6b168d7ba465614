import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { listCategories } from '@uprez/domain/content/categories';
import { createFirstPosts } from '@uprez/domain/content/first-articles/create-first-articles';
import { firstCategories, firstPosts } from '@uprez/domain/content/first-articles/first-articles';
import { findPublicPost, listPublicPosts } from '@uprez/domain/content/public/public-posts';
import { openTestDatabase, type TestDatabase } from '@uprez/testing/open-test-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

let ctx: TestDatabase;
beforeAll(async () => {
  ctx = await openTestDatabase();
  await ctx.db.transaction().execute(createFirstPosts);
});
afterAll(() => ctx.close());

it('publishes the posts of a new blog, the featured one first', async () => {
  const { featured, posts } = await listPublicPosts(ctx, { page: 1 });
  const slugs = firstPosts.map(({ slug }) => slug);
  expect([featured?.slug, ...posts.map(({ slug }) => slug)]).toEqual(slugs);
});

it('creates one category for each chip, in order, with one post', async () => {
  const categories = await listCategories(ctx);
  expect(categories.map(({ name, posts }) => [name, posts])).toEqual(firstCategories.map(({ name }) => [name, 1]));
});

it.each(firstPosts)('renders $slug without placeholders, with links to existing pages', async ({ slug }) => {
  const post = await findPublicPost(ctx, slug);
  expect(post?.author).toBeNull();
  const html = post?.html ?? '';
  expect(html).toContain('<p>');
  expect(html).not.toContain('{{');
  const links = [...html.matchAll(/href="(\/[^"#]*)/g)].map(([, path]) => path);
  for (const path of links) expect(Object.values(sitePaths)).toContain(path);
});
