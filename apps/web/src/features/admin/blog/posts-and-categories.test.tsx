import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { findRow, press, textsOf, waitForRows } from '../../../../test/component/admin-page.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { choose, fill, makeAdmin, openPage, readPath, site } from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

/** A post that is public, unless it is a draft. Searches find it by its title. */
async function makePost(status?: 'published') {
  const title = `Sharper ${randomUUID()}`;
  const { data } = await admin.client.adminCreatePost({
    body: { title, content: `Text of ${title}.`, ...(status && { status }) },
  });
  const slug = title.toLowerCase().replaceAll(' ', '-');
  const readStatus = async () => (await admin.fetch(`${site.url}/api/blog/posts/${slug}`)).status;
  return { id: data.id, title, slug, readStatus };
}
const waitForNoRow = (text: string) => waitFor(() => expect(screen.queryByText(text)).toBeNull());

it('filters by status chips and by search, and exports the rows', async () => {
  const [{ title, slug }, draft] = [await makePost('published'), await makePost()];
  const user = await openPage('/admin/blog', admin);
  await user.click(await screen.findByRole('radio', { name: 'Published' }));
  await waitFor(() => expect(readPath()).toBe('/admin/blog?status=published'));
  const row = await findRow(title);
  expect(row).toHaveTextContent(`/${slug}`);
  expect(row.querySelectorAll('time')).toHaveLength(2);
  await waitForNoRow(draft.title);
  const search = async (text: string) => {
    await fill(user, screen.getByRole('searchbox', { name: 'Search by title or slug' }), text);
    await waitFor(() => expect(readPath()).toContain('search='));
    await waitForRows(1);
    await findRow(text);
  };
  await search(title);
  await user.click(screen.getByRole('radio', { name: 'Scheduled' }));
  await screen.findByText('No matches');
  await press(user, 'Clear filters');
  await findRow(draft.title);
  await search(draft.title);
  const link = screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const exported = await (await admin.fetch(site.url + link)).text();
  expect(exported).toContain(draft.title);
  expect(exported).not.toContain(title);
});

it('deletes a post, and restores it by Undo', async () => {
  const { title, readStatus } = await makePost('published');
  const user = await openPage(`/admin/blog?search=${encodeURIComponent(title)}`, admin);
  await choose(user, `Actions for ${title}`, 'Delete');
  const dialog = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this post?' });
  await press(user, 'Delete post', dialog);
  await screen.findByText('Blog post deleted successfully');
  await screen.findByText('No matches');
  expect(await readStatus()).toBe(404);
  await press(user, 'Undo');
  await screen.findByText('Blog post restored successfully');
  expect(await findRow(title)).toHaveTextContent('Published');
  expect(await readStatus()).toBe(200);
});

it('restores a post from the list of deleted ones', async () => {
  const { id, title, readStatus } = await makePost('published');
  await admin.client.adminDeletePost({ params: { id } });
  const user = await openPage(`/admin/blog?search=${encodeURIComponent(title)}`, admin);
  await user.click(await screen.findByRole('radio', { name: 'Deleted' }));
  expect(await findRow(title)).toHaveTextContent('Deleted on');
  await press(user, `Actions for ${title}`);
  const items = await screen.findAllByRole('menuitem');
  expect(textsOf(items)).toEqual(['Restore']);
  await user.click(items[0] as HTMLElement);
  await screen.findByText('Blog post restored successfully');
  await screen.findByText('No matches');
  await user.click(screen.getByRole('radio', { name: 'All' }));
  expect(await findRow(title)).toHaveTextContent('Published');
  expect(await readStatus()).toBe(200);
});

it('creates, changes, and deletes categories', async () => {
  const id = randomUUID();
  const user = await openPage('/admin/blog?tab=categories', admin);
  await press(user, 'New Category');
  const findDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
  const dialog = await findDialog('New Category');
  const submit = async () =>
    user.click((await findDialog('New Category')).getByRole('button', { name: 'Create category' }));
  await submit();
  await dialog.findByText('Name is required');
  await fill(user, dialog.getByLabelText('Name'), `Updates ${id}`);
  await fill(user, dialog.getByLabelText(/^Description/), 'What is new.');
  await submit();
  await screen.findByText('Category created successfully');
  screen.getByText('Success');
  expect(await findRow(`Updates ${id}`)).toHaveTextContent(`updates-${id}`);
  await press(user, 'New Category');
  const other = await findDialog('New Category');
  await fill(user, other.getByLabelText('Name'), `Others ${id}`);
  await fill(user, other.getByLabelText(/^Slug/), `updates-${id}`);
  await submit();
  await waitFor(() => expect(other.getByLabelText(/^Slug/)).toHaveAccessibleDescription(/already has this slug/));
  await fill(user, other.getByLabelText(/^Slug/), `others-${id}`);
  await submit();
  expect(await findRow(`Others ${id}`)).toHaveTextContent(`others-${id}`);
  await choose(user, `Actions for Others ${id}`, 'Edit');
  const edit = await findDialog('Edit category');
  await fill(user, edit.getByLabelText('Name'), `Guides ${id}`);
  await user.click(edit.getByRole('button', { name: 'Save category' }));
  await screen.findByText('Category updated successfully');
  await choose(user, `Actions for Guides ${id}`, 'Delete');
  await press(user, 'Delete category');
  await screen.findByText('Category deleted successfully');
  await waitForNoRow(`Guides ${id}`);
});

it('keeps the typed category when the server fails', async () => {
  const user = await openPage('/admin/blog?tab=categories', admin);
  await press(user, 'New Category');
  const dialog = await screen.findByRole('dialog', { name: 'New Category' });
  const name = within(dialog).getByLabelText('Name');
  await fill(user, name, 'Never');
  intercept(/\/api\/admin\/blog\/categories/, async () => new Response('Down', { status: 500 }));
  await press(user, 'Create category', dialog);
  await screen.findByText('Error');
  expect(name).toHaveValue('Never');
  await user.keyboard('{Escape}');
  expect(dialog).toBeVisible();
  await press(user, 'Cancel', dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('lets viewers read, without writing, and hides all of it from other roles', async () => {
  const [{ title }, viewer] = [await makePost(), await makeAdmin('viewer')];
  const name = `Tips ${randomUUID()}`;
  await admin.client.adminCreateCategory({ body: { kind: 'post', name } });
  await openPage('/admin/blog?new=true', viewer);
  await findRow(title);
  expect(readPath()).toBe('/admin/blog');
  const user = await openPage(`/admin/blog?search=${encodeURIComponent(title)}`, viewer);
  await findRow(title);
  expect(screen.queryByRole('link', { name: 'New Post' })).toBeNull();
  await press(user, `Actions for ${title}`);
  expect(textsOf(await screen.findAllByRole('menuitem'))).toEqual(['Open']);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('tab', { name: 'Categories' }));
  await findRow(name);
  expect(screen.queryByRole('button', { name: 'New Category' })).toBeNull();
  expect(screen.queryByRole('button', { name: `Actions for ${name}` })).toBeNull();
  await openPage('/admin/blog', await makeAdmin('support'));
  await screen.findByRole('heading', { level: 1, name: 'Access Denied' });
});
