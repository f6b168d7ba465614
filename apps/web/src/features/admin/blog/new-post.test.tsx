import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { findRow, press, textsOf, waitForRows } from '../../../../test/component/admin-page.ts';
import { fill, makeAdmin, openPage, readPath } from '../../../../test/component/open-page.tsx';
import { router } from '../../../app/router.tsx';

const admin = fileFixture(makeAdmin);

const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });
const findTitle = () => screen.findByRole('textbox', { name: 'Title' });
const listPath = (title: string) => `/admin/blog?search=${encodeURIComponent(title)}`;

/** The administrator, with a function that returns how many articles were created since. */
function countCreations() {
  let count = 0;
  const record: typeof fetch = (url, init) => {
    if (init?.method === 'POST' && String(url).endsWith('/api/admin/articles')) count += 1;
    return admin.fetch(url, init);
  };
  return { by: { fetch: record }, readCount: () => count };
}

it('creates a post from the sidebar, and shows it in the list', async () => {
  const word = randomUUID();
  const { by, readCount } = countCreations();
  const user = await openPage(listPath(word), by);
  await screen.findByText('No matches');
  const sidebar = screen.getByRole('navigation', { name: 'Admin Panel', hidden: true });
  const posts = within(sidebar).getByRole('list', { name: 'Posts', hidden: true });
  const links = within(posts).getAllByRole('link', { hidden: true });
  expect(textsOf(links)).toEqual(['All Posts', 'Add New', 'Categories']);
  await user.click(links[1] as HTMLElement);
  await findHeading('New post');
  expect(links[1]).toHaveAttribute('aria-current', 'true');
  const title = await findTitle();
  await user.click(title);
  await user.paste(word);
  await user.keyboard(' First');
  const created = screen.findByText('Blog post created successfully');
  await user.keyboard('{Control>}ss{/Control} steps');
  await created;
  await waitFor(() => expect(readPath()).toMatch(/^\/admin\/blog\/[0-9a-f-]{36}$/));
  await findHeading('Edit post');
  expect(await findTitle()).toBe(title);
  expect(title).toHaveFocus();
  expect(title).toHaveValue(`${word} First steps`);
  await user.keyboard('{Control>}s{/Control}');
  await screen.findByText(/^Saved /);
  expect(readCount()).toBe(1);
  await user.click(screen.getByRole('link', { name: 'Back to posts' }));
  const row = await findRow(`${word} First steps`);
  expect(row).toHaveTextContent('Draft');
  expect(row).toHaveTextContent('Ada');
  // The path of the post replaced that of the new one.
  await router.navigate(-1);
  await findHeading('Edit post');
  await router.navigate(-1);
  await findHeading('Posts');
  expect(readPath()).toBe(listPath(word));
  await waitForRows(1);
});

it('creates nothing before the first character', async () => {
  const { by, readCount } = countCreations();
  const user = await openPage('/admin/blog', by);
  await findHeading('Posts');
  const actions = screen.getByRole('region', { name: 'Quick Actions', hidden: true });
  await user.click(within(actions).getByRole('link', { name: 'New Post', hidden: true }));
  await findHeading('New post');
  await press(user, 'Publish');
  const title = await findTitle();
  await waitFor(() => expect(title).toHaveAccessibleDescription(/Title is required/));
  await press(user, 'Find a page');
  await fill(user, await screen.findByPlaceholderText('Search pages and actions'), 'new post');
  await screen.findByRole('option', { name: 'Posts: Add New' });
  expect(readCount()).toBe(0);
});

it('leaves nothing behind when the first character is taken back', async () => {
  const { by, readCount } = countCreations();
  const user = await openPage('/admin/blog', by);
  const links = await screen.findAllByRole('link', { name: 'New Post' });
  await user.click(links.at(-1) as HTMLElement);
  await findHeading('New post');
  await fill(user, await findTitle(), 'T');
  await fill(user, await findTitle(), '');
  await user.click(screen.getByRole('link', { name: 'Back to posts' }));
  await findHeading('Posts');
  // Its code is loaded already, so nothing is waited for.
  for (let visit = 0; visit < 3; visit += 1) {
    await openPage('/admin/blog/new', by);
    await findHeading('New post');
    await screen.findByRole('textbox', { name: 'Content' });
  }
  expect(readCount()).toBe(0);
});

it('creates no help article and no position before the first character', async () => {
  const { by, readCount } = countCreations();
  for (const [list, name] of [
    ['/admin/help', 'New Article'],
    ['/admin/pages?tab=positions', 'New Position'],
  ] as const) {
    const user = await openPage(list, by);
    await user.click(await screen.findByRole('link', { name }));
    await screen.findByRole('heading', { level: 1, name: /^New (help article|position)$/ });
    await findTitle();
    await user.click(screen.getByRole('link', { name: 'Back to list' }));
    await findHeading(list === '/admin/help' ? 'Help' : 'Pages');
  }
  expect(readCount()).toBe(0);
});

it('keeps what was typed when the page of a new post is left, and opens the post by Back', async () => {
  const title = `Left early ${randomUUID()}`;
  const user = await openPage('/admin/blog?new=true', admin);
  await fill(user, await findTitle(), title);
  await user.click(screen.getByRole('link', { name: 'Back to posts' }));
  await findRow(title);
  await router.navigate(-1);
  await findHeading('Edit post');
  expect(await findTitle()).toHaveValue(title);
  await user.click(screen.getByRole('link', { name: 'Back to posts' }));
  await findRow(title);
  expect(screen.getAllByText(title)).toHaveLength(1);
});
