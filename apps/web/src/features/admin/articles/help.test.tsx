import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { HelpSearch } from '@uprez/contracts/schemas/content/help';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { findRow, press, textsOf } from '../../../../test/component/admin-page.ts';
import { createArticle } from '../../../../test/component/articles.ts';
import { choose, db, fill, makeAdmin, openPage, site } from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

const makeWord = () => randomUUID().slice(0, 8);
const createCategory = async () =>
  (await admin.client.adminCreateCategory({ body: { name: `Start ${makeWord()}`, kind: 'help' } })).data;
const search = async (word: string) =>
  (await (await admin.fetch(`${site.url}/api/help/search?q=${word}`)).json()) as HelpSearch;

it('lists articles in order, and moves one', async () => {
  const [word, category] = [makeWord(), await createCategory()];
  const titles = [`How do I upscale ${word}?`, `Which formats does ${word} have?`] as const;
  // Other files may create articles between both.
  const place = 1_000_000 + Math.floor(Math.random() * 1_000_000);
  for (const [index, title] of titles.entries()) {
    const { id } = await createArticle(admin, 'help', { title, content: 'Text.', categoryIds: [category.id] });
    await db
      .updateTable('articles')
      .set({ place: place + index })
      .where('id', '=', id)
      .execute();
  }
  const user = await openPage(`/admin/help?search=${word}`, admin);
  const readTitles = () => textsOf(within(screen.getByRole('table')).getAllByRole('link'));
  await findRow(titles[0]);
  expect(readTitles()).toEqual(titles);
  await choose(user, `Actions for ${titles[0]}`, 'Move down');
  await waitFor(() => expect(readTitles()).toEqual(titles.toReversed()));
});

it('writes and publishes a question', async () => {
  const [word, category] = [makeWord(), await createCategory()];
  const user = await openPage('/admin/help', admin);
  await user.click(await screen.findByRole('link', { name: 'New Article' }));
  await fill(user, await screen.findByRole('textbox', { name: 'Title' }), `Is there an app of ${word}?`);
  await user.click(screen.getByRole('radio', { name: 'Markdown' }));
  await fill(user, screen.getByRole('textbox', { name: 'Content' }), 'The web app works on phones.');
  await user.click(await screen.findByRole('checkbox', { name: category.name }));
  await press(user, 'Publish');
  await screen.findByRole('button', { name: 'Unpublish' });
  expect((await search(word)).results).toMatchObject([{ slug: `is-there-an-app-of-${word}` }]);
});

it('shows searches without a result, and votes', async () => {
  const [word, missed, category] = [makeWord(), makeWord(), await createCategory()];
  const title = `Choose an engine ${word}`;
  const text = { title, content: 'Text.', categoryIds: [category.id] };
  const { publicSlug } = await createArticle(admin, 'help', text);
  expect((await search(missed)).results).toEqual([]);
  expect((await search(word)).results).toHaveLength(1);
  const vote = { method: 'POST', headers: { 'content-type': 'application/json', origin: site.url } };
  const url = `${site.url}/api/help/articles/${publicSlug}/votes`;
  expect((await admin.fetch(url, { ...vote, body: JSON.stringify({ helpful: false }) })).status).toBe(204);
  const user = await openPage('/admin/help?tab=searches', admin);
  expect(await findRow(missed)).toHaveTextContent('1');
  expect(screen.queryByText(word)).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Only searches without a result' }));
  await findRow(word);
  await user.click(screen.getByRole('tab', { name: 'Votes' }));
  await findRow(title);
});

it('adds, renames, and deletes a category', async () => {
  const [word, other] = [makeWord(), await createCategory()];
  const user = await openPage('/admin/help?tab=categories', admin);
  await findRow(other.name);
  await press(user, 'New Category');
  const dialog = await screen.findByRole('dialog', { name: 'New Category' });
  await fill(user, within(dialog).getByLabelText('Name'), `Mobile ${word}`);
  await press(user, 'Create category');
  await choose(user, `Actions for Mobile ${word}`, 'Edit');
  const edit = await screen.findByRole('dialog', { name: 'Edit category' });
  await fill(user, within(edit).getByLabelText('Name'), `Phones ${word}`);
  await press(user, 'Save category');
  await choose(user, `Actions for Phones ${word}`, 'Delete');
  await press(user, 'Delete category');
  await screen.findByText('Category deleted successfully');
  await waitFor(() => expect(screen.queryByText(`Phones ${word}`)).toBeNull());
  await findRow(other.name);
  const left = db.selectFrom('categories').select('id').where('name', 'like', `%${word}`);
  expect(await left.execute()).toEqual([]);
});
