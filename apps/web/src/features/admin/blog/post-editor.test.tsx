import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { findRow, press, textsOf } from '../../../../test/component/admin-page.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { choose, fill, makeAdmin, openPage, site } from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

const content = 'Start with **the original**.\n\n## What you need\n\n- [x] a photo\n- [ ] patience\n';
const field = (name: string) => screen.getByRole('textbox', { name });
const waitForSave = () => screen.findByText(/^Saved (just now|\d+ s ago)$/);

async function makePost() {
  const title = `Larger ${randomUUID()}`;
  const { id } = (await admin.client.adminCreatePost({ body: { title, content } })).data;
  const slug = title.toLowerCase().replaceAll(' ', '-');
  return {
    id,
    title,
    slug,
    read: async () => (await admin.client.adminGetArticle({ params: { id } })).data,
    publish: (version: number) => admin.client.adminPublishArticle({ params: { id }, body: { version } }),
    fetchPublic: () => admin.fetch(`${site.url}/api/blog/posts/${slug}`),
  };
}
type Post = Awaited<ReturnType<typeof makePost>>;

async function makePublicPost(): Promise<Post> {
  const post = await makePost();
  await post.publish((await post.read()).version);
  return post;
}

async function openEditor({ id }: Post, by = admin): Promise<UserEvent> {
  const user = await openPage(`/admin/blog/${id}`, by);
  await screen.findByRole('textbox', { name: 'Content' });
  return user;
}

/** Replaces a field, and saves it at once. */
async function save(user: UserEvent, name: string, value: string): Promise<void> {
  await fill(user, field(name), value);
  await user.keyboard('{Control>}s{/Control}');
}

/** Chooses an action that asks first, and confirms it. */
async function confirm(user: UserEvent, action: string): Promise<void> {
  await press(user, action, await screen.findByRole('alertdialog'));
}

it('names what is missing, and what cannot be published, at its field', async () => {
  const post = await makePost();
  const user = await openEditor(post);
  await user.click(screen.getByRole('radio', { name: 'Markdown' }));
  expect(field('Content')).toHaveValue(content);
  await fill(user, field('Title'), '');
  await fill(user, field('Content'), '');
  await press(user, 'Publish');
  await waitFor(() => expect(field('Title')).toHaveAccessibleDescription(/Title is required/));
  expect(field('Content')).toHaveAccessibleDescription(/Content is required/);
  expect(field('Title')).toHaveFocus();
  await fill(user, field('Title'), 'Make it larger');
  await fill(user, field('Content'), 'One\n\n<script>alert(1)</script>');
  await press(user, 'Publish');
  await waitFor(() =>
    expect(field('Content')).toHaveAccessibleDescription(/HTML isn't supported\. Remove the tag on line 3\./),
  );
  await screen.findByText('Error');
  expect((await post.read()).status).toBe('draft');
});

it('shows the draft to those who have its link', async () => {
  const user = await openEditor(await makePost());
  await press(user, 'Preview');
  const link = await screen.findByRole('link', { name: 'Open preview' });
  const { pathname } = new URL(link.getAttribute('href') ?? '');
  await openPage(pathname);
  await screen.findByText(/^This is a draft\./);
  await screen.findByRole('heading', { level: 2, name: 'What you need' });
  await openPage('/preview/unknown');
  await screen.findByRole('heading', { name: '404 Page Not Found' });
});

it('publishes with a slug from the title, and publishes changes later', async () => {
  const post = await makePost();
  const { title, slug } = post;
  const user = await openEditor(post);
  expect(field('Slug')).toHaveAttribute('placeholder', slug);
  await fill(user, screen.getByLabelText('Excerpt'), 'How to print small photos.');
  const preview = within(screen.getByText('Search result preview').closest('figure') as HTMLElement);
  await preview.findByText('How to print small photos.');
  preview.getByText(new RegExp(`/blog/${slug}$`));
  await press(user, 'Publish');
  await screen.findByText('Blog post updated successfully');
  await screen.findByText('Published');
  await waitFor(() => expect(screen.getByRole('region', { name: 'Post actions' })).toHaveFocus());
  expect(field('Slug')).toHaveValue(slug);
  expect(screen.queryByRole('button', { name: 'Publish changes' })).toBeNull();
  const readPublic = async () => (await post.fetchPublic()).json();
  expect(await readPublic()).toMatchObject({ title, excerpt: 'How to print small photos.' });
  await save(user, 'Title', 'Make it much larger');
  await waitForSave();
  expect(await readPublic()).toMatchObject({ title });
  await press(user, 'Publish changes');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Publish changes' })).toBeNull());
  expect(await readPublic()).toMatchObject({ title: 'Make it much larger' });
});

it('discards changes of a public post, and unpublishes it after a question', async () => {
  const post = await makePublicPost();
  const user = await openEditor(post);
  await save(user, 'Title', 'Never');
  await waitForSave();
  await screen.findByRole('button', { name: 'Publish changes' });
  await choose(user, 'More actions', 'Discard changes');
  await confirm(user, 'Discard changes');
  await waitFor(() => expect(field('Title')).toHaveValue(post.title));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Publish changes' })).toBeNull());
  expect((await post.fetchPublic()).status).toBe(200);
  await press(user, 'Unpublish');
  await confirm(user, 'Unpublish');
  await screen.findByText('Draft');
  expect((await post.fetchPublic()).status).toBe(404);
});

it('compares revisions with the draft, and restores one', async () => {
  const post = await makePublicPost();
  const user = await openEditor(post);
  await user.click(screen.getByRole('radio', { name: 'Markdown' }));
  await save(user, 'Content', 'Another text.');
  await waitForSave();
  expect((await post.read()).fields.content).toBe('Another text.');
  await choose(user, 'More actions', 'Revisions');
  const dialog = within(await screen.findByRole('dialog', { name: 'Revisions' }));
  const [published] = await dialog.findAllByRole('button', { name: /^Published/ });
  await user.click(published as HTMLElement);
  const changes = await dialog.findByRole('region', { name: 'Content' });
  expect(textsOf(changes.querySelectorAll('ins')).join(' ')).toContain('the original');
  expect(textsOf(changes.querySelectorAll('del')).join(' ')).toContain('Another');
  await user.click(dialog.getByRole('button', { name: 'Restore this revision' }));
  await screen.findByText('Blog post updated successfully');
  await within(field('Content')).findByRole('heading', { name: 'What you need' });
  expect((await post.read()).fields.content).toBe(content);
});

it('shows both texts when another editor was faster', async () => {
  const post = await makePost();
  const user = await openEditor(post);
  const conflict = async (title: string, mine: string) => {
    const { fields, version } = await post.read();
    const body = { fields: { ...fields, title }, version, tab: randomUUID() };
    await admin.client.adminSaveDraft({ params: { id: post.id }, body });
    await save(user, 'Title', mine);
    return within(await screen.findByRole('dialog', { name: 'This post has newer changes' }));
  };
  const first = await conflict('Theirs', 'Mine');
  const changes = first.getByRole('region', { name: 'Title' });
  expect(textsOf(changes.querySelectorAll('del'))).toEqual([expect.stringContaining('Theirs')]);
  expect(textsOf(changes.querySelectorAll('ins'))).toEqual([expect.stringContaining('Mine')]);
  first.getByText(/^Ada saved it on /);
  await user.click(first.getByRole('button', { name: 'Use their text' }));
  await waitFor(() => expect(field('Title')).toHaveValue('Theirs'));
  await press(user, 'Undo', screen.getByText('Your text was replaced').closest('li') ?? undefined);
  await waitFor(() => expect(field('Title')).toHaveValue('Mine'));
  await user.click(field('Title'));
  await user.keyboard('{Control>}s{/Control}');
  await waitFor(async () => expect((await post.read()).fields.title).toBe('Mine'));
  const second = await conflict('Theirs again', 'Mine again');
  // Keys of a text that is being typed choose nothing.
  await user.keyboard(' {Enter}');
  expect(screen.getByRole('dialog')).toBeVisible();
  expect(second.getByRole('region', { name: 'Title' }).querySelector('ins')).toHaveTextContent('Mine');
  await user.click(second.getByRole('button', { name: 'Keep my text' }));
  await waitFor(async () => expect((await post.read()).fields.title).toBe('Mine again'));
});

it('saves before the page is left, and asks if that fails', async () => {
  const [post, other] = [await makePost(), await makePost()];
  const user = await openEditor(post);
  const title = `Left at once ${randomUUID()}`;
  await fill(user, field('Title'), title);
  await user.click(screen.getByRole('link', { name: 'Back to posts' }));
  await findRow(title);
  const again = await openEditor(other);
  const recover = intercept(/\/draft$/, () => Promise.reject(new TypeError('Failed to fetch')));
  await save(again, 'Title', 'Not saved');
  await screen.findByText(/^Not saved: Couldn't reach the server/);
  await again.click(screen.getByRole('link', { name: 'Back to posts' }));
  await press(again, 'Keep editing');
  expect(field('Title')).toHaveValue('Not saved');
  recover();
  await again.click(field('Title'));
  await again.keyboard('{Control>}s{/Control}');
  await waitForSave();
  expect((await other.read()).fields.title).toBe('Not saved');
});

it('lets viewers read a post, and says that a post does not exist', async () => {
  const viewer = await makeAdmin('viewer');
  const user = await openEditor(await makePost(), viewer);
  await screen.findByText("Your role can read this post, but can't change it.");
  expect(field('Title')).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull();
  expect(screen.queryByRole('toolbar')).toBeNull();
  await press(user, 'More actions');
  expect(textsOf(await screen.findAllByRole('menuitem'))).toEqual(['Revisions']);
  await openPage('/admin/blog/unknown', viewer);
  await screen.findByRole('heading', { level: 1, name: 'Post not found' });
});
