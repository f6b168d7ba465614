import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { addMedia } from '@uprez/testing/factories/add-media';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { findRow, press, textsOf, waitForRows } from '../../../../test/component/admin-page.ts';
import { choose, db, fill, makeAdmin, openPage, readPath } from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

/** Adds files that searches find by a word in their names. */
async function makeFiles() {
  const word = randomUUID().slice(0, 8);
  const add = async (name: string, kind?: 'document') => {
    const { id } = await addMedia(db, kind && { kind });
    await db.updateTable('media').set({ name }).where('id', '=', id).execute();
    return { id, name };
  };
  const [lake, hill] = [await add(`lake-${word}.png`), await add(`hill-${word}.png`)];
  return { word, lake, hill, notes: await add(`notes-${word}.pdf`, 'document') };
}

/** Creates a post that shows files. */
async function useInPost(...ids: string[]) {
  const title = `Two lakes ${randomUUID()}`;
  const content = ids.map((id) => `![A lake](/media/${id})`).join('\n\n');
  const { data } = await admin.client.adminCreatePost({ body: { title, content } });
  return { title, id: data.id };
}

const waitForCards = (...names: string[]) =>
  waitFor(() => {
    const files = within(screen.getByRole('list', { name: 'Files' })).getAllByRole('link');
    expect(textsOf(files).toSorted()).toEqual(names.toSorted());
  });

it('searches, filters, and keeps the layout in the URL', async () => {
  const { word, lake, hill, notes } = await makeFiles();
  const user = await openPage(`/admin/media?search=${word}`, admin);
  await waitForCards(lake.name, hill.name, notes.name);
  await fill(user, screen.getByRole('searchbox'), lake.name);
  await waitForCards(lake.name);
  await user.click(screen.getByRole('radio', { name: 'List' }));
  await findRow(lake.name);
  await waitForRows(1);
  expect(readPath()).toBe(`/admin/media?search=${lake.name}&view=list`);
  await openPage(`/admin/media?type=document&search=${word}`, admin);
  await waitForCards(notes.name);
  await openPage(`/admin/media?search=${randomUUID()}`, admin);
  await screen.findByText('No matches');
});

it('changes the alt text of a file that was opened from its card', async () => {
  const { lake } = await makeFiles();
  const user = await openPage(`/admin/media?search=${lake.name}`, admin);
  await user.click(await screen.findByRole('link', { name: lake.name }));
  await fill(user, await screen.findByLabelText('Alt text'), 'A lake');
  await press(user, 'Save');
  await screen.findByText('File updated successfully');
  expect(readPath()).toBe(`/admin/media/${lake.id}`);
  const file = db.selectFrom('media').select(['name', 'alt']).where('id', '=', lake.id);
  expect(await file.execute()).toEqual([{ name: lake.name, alt: 'A lake' }]);
});

it('keeps a file that a post uses, and names the post', async () => {
  const { lake } = await makeFiles();
  const post = await useInPost(lake.id);
  const user = await openPage(`/admin/media?search=${lake.name}`, admin);
  await choose(user, `Actions for ${lake.name}`, 'Delete');
  const dialog = await screen.findByRole('dialog', { name: 'This file is in use' });
  const link = await within(dialog).findByRole('link', { name: post.title });
  expect(link).toHaveAttribute('href', `/admin/blog/${post.id}`);
  await press(user, 'Keep file', dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitForCards(lake.name);
});

it('deletes a file after a question, and restores it', async () => {
  const { notes } = await makeFiles();
  const user = await openPage(`/admin/media?search=${notes.name}`, admin);
  await choose(user, `Actions for ${notes.name}`, 'Delete');
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete this file?' });
  await press(user, 'Delete file', question);
  await screen.findByText('File deleted successfully');
  await screen.findByText('No matches');
  await press(user, 'Undo');
  await screen.findByText('File restored successfully');
  await waitForCards(notes.name);
});

it('deletes several files, keeps those in use, and restores the others', async () => {
  const { word, lake, hill, notes } = await makeFiles();
  await useInPost(lake.id, hill.id);
  const user = await openPage(`/admin/media?view=list&sort=name&search=${word}`, admin);
  await waitForRows(3);
  const [selectAll] = screen.getAllByRole('checkbox', { name: 'Select all rows' });
  await user.click(selectAll as HTMLElement);
  await press(user, 'Delete');
  const question = await screen.findByRole('alertdialog', { name: 'Delete 3 files?' });
  await press(user, 'Delete files', question);
  await screen.findByText('2 of 3 failed');
  await waitFor(() => expect(screen.queryByText(notes.name)).toBeNull());
  await findRow(lake.name);
  await screen.findByText('2 selected');
  const other = await openPage(`/admin/media?view=list&status=deleted&search=${word}`, admin);
  await other.click(within(await findRow(notes.name)).getByRole('checkbox'));
  await press(other, 'Restore');
  await screen.findByText('1 file restored');
  await waitFor(() => expect(screen.queryByText(notes.name)).toBeNull());
});
