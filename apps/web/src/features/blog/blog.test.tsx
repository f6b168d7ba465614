import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { PostInput } from '@uprez/contracts/schemas/content/posts';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { textsOf } from '../../../test/component/admin-page.ts';
import { intercept } from '../../../test/component/intercept.ts';
import { db, makeAdmin, openPage, readPath } from '../../../test/component/open-page.tsx';
import { router } from '../../app/router.tsx';

const admin = fileFixture(makeAdmin);

const createPost = async (fields: Partial<PostInput> = {}) => {
  const title = fields.title ?? `Post ${randomUUID()}`;
  const body = { content: 'Text.', status: 'published', ...fields, title } as const;
  return (await admin.client.adminCreatePost({ body })).data;
};
const createCategory = async (name: string) => {
  const body = { name: `${name} ${randomUUID()}`, description: 'How it works inside.' };
  return (await admin.client.adminCreateCategory({ body })).data;
};
const findHeading = (name: string, level = 1) => screen.findByRole('heading', { level, name });
const readTitles = () => textsOf(document.querySelectorAll('article h2'));

/** Reads the first page of all posts as the page does. */
function watchPosts() {
  const lists: { featured: { title: string } | null; posts: { title: string }[] }[] = [];
  intercept(/^\/api\/blog\/posts\?page=1$/, async (send) => {
    const response = await send();
    lists.push(await response.clone().json());
    return response;
  });
  return lists;
}

it('says that there are no posts, and is linked in the footer', async () => {
  intercept(/^\/api\/blog\/posts\?/, async (send) => {
    const list = (await (await send()).json()) as object;
    return Response.json({ ...list, featured: null, posts: [], pages: 1 });
  });
  const user = await openPage('/');
  const footer = await screen.findByRole('navigation', { name: 'Footer' });
  await user.click(within(footer).getByRole('link', { name: 'Blog' }));
  await findHeading('Blog');
  await screen.findByText('No posts yet');
});

it('lists the featured post first, and posts on pages', async () => {
  const featured = await createPost();
  await db.updateTable('articles').set({ featured: true }).where('id', '=', featured.id).execute();
  const draft = await createPost({ status: 'draft' });
  for (let count = 1; count <= 13; count += 1) await createPost();
  const lists = watchPosts();
  const user = await openPage('/blog');
  await user.click(await screen.findByRole('link', { name: 'Older posts' }));
  await waitFor(() => expect(readPath()).toBe('/blog?page=2'));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  expect(screen.queryByText('Featured')).toBeNull();
  await user.click(await screen.findByRole('link', { name: 'Newer posts' }));
  await waitFor(() => expect(readPath()).toBe('/blog'));
  await screen.findByText('Featured');
  const list = lists.at(-1);
  expect(readTitles()).toEqual([list?.featured?.title, ...(list?.posts ?? []).map(({ title }) => title)]);
  expect(readTitles()).toHaveLength(13);
  expect(screen.queryByText(draft.title)).toBeNull();
});

it('lists posts by category', async () => {
  const [category, empty] = [await createCategory('Technical'), await createCategory('Education')];
  const inside = { categoryIds: [category.id] };
  const oldest = await createPost(inside);
  for (let count = 1; count <= 11; count += 1) await createPost(inside);
  const newest = await createPost(inside);
  await createPost();
  const user = await openPage('/blog');
  const chips = within(await screen.findByRole('navigation', { name: 'Categories' }));
  const names = textsOf(chips.getAllByRole('link'));
  expect(names[0]).toBe('All');
  expect(names).toContain(category.name);
  expect(names).not.toContain(empty.name);
  await user.click(chips.getByRole('link', { name: category.name }));
  await findHeading(category.name);
  await screen.findByText('How it works inside.');
  await waitFor(() => expect(readTitles()[0]).toBe(newest.title));
  expect(readTitles()).toHaveLength(12);
  await user.click(screen.getByRole('link', { name: 'Older posts' }));
  await waitFor(() => expect(readPath()).toBe(`/blog/category/${category.slug}?page=2`));
  await waitFor(() => expect(readTitles()).toEqual([oldest.title]));
  await user.click(screen.getByRole('link', { name: 'Newer posts' }));
  await waitFor(() => expect(readPath()).toBe(`/blog/category/${category.slug}`));
  await openPage(`/blog/category/${empty.slug}`);
  await screen.findByText('This category has no posts yet.');
});

it('shows a post with its author, date, reading time, and categories', async () => {
  const { id, name, slug } = await createCategory('Technical');
  const content = 'The text has [a link](/pricing).\n\n## A heading\n\n1. one\n2. two';
  const post = await createPost({ content, categoryIds: [id] });
  const user = await openPage(`/blog/category/${slug}`);
  await user.click(await screen.findByRole('link', { name: post.title }));
  await waitFor(() => expect(readPath()).toBe(`/blog/${post.slug}`));
  await findHeading(post.title);
  expect(document.title).toBe(`${post.title} - Uprez`);
  screen.getByText(/^Ada/);
  screen.getByText('Reading time: 1 minute');
  await findHeading('A heading', 2);
  await user.click(screen.getByRole('link', { name }));
  await waitFor(() => expect(readPath()).toBe(`/blog/category/${slug}`));
  await findHeading(name);
  await router.navigate(-1);
  await waitFor(() => expect(readPath()).toBe(`/blog/${post.slug}`));
  await findHeading(post.title);
  // The app opens it without a new document.
  await user.click(await screen.findByRole('link', { name: 'a link' }));
  await waitFor(() => expect(readPath()).toBe('/pricing'));
});

it('leads from a former slug to the post, and shows the 404 page for unknown ones', async () => {
  const post = await createPost();
  const body = { title: post.title, content: 'Text.', status: 'published', slug: `new-${randomUUID()}` } as const;
  await admin.client.adminUpdatePost({ params: { id: post.id }, body });
  await openPage(`/blog/${post.slug}`);
  await waitFor(() => expect(readPath()).toBe(`/blog/${body.slug}`));
  await findHeading(post.title);
  const draft = await createPost({ status: 'draft' });
  for (const path of ['/blog/unknown', '/blog/category/unknown', `/blog/${draft.slug}`]) {
    await openPage(path);
    await screen.findByRole('heading', { name: '404 Page Not Found' });
  }
});
