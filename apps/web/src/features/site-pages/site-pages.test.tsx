import { randomUUID } from 'node:crypto';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { findRow, press } from '../../../test/component/admin-page.ts';
import { createDraft } from '../../../test/component/articles.ts';
import { makeAccount, makeAdmin, openPage } from '../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Saves a draft of a legal text. */
async function draft(slug: string) {
  const { data: texts } = await admin.client.adminListArticles({ query: { kind: 'legal' } });
  const params = { id: texts.find((text) => text.slug === slug)?.id ?? '' };
  const { fields, version } = (await admin.client.adminGetArticle({ params })).data;
  const body = { fields: { ...fields, content: 'A text that comes too early.' }, version, tab: randomUUID() };
  return { params, version: (await admin.client.adminSaveDraft({ params, body })).data.version };
}

it('announces a version that applies later', async () => {
  const { params } = await draft('privacy-policy');
  const user = await openPage(`/admin/pages/${params.id}`, admin);
  await press(user, 'Publish changes');
  const dialog = await screen.findByRole('dialog', { name: 'Publish Privacy Policy' });
  const date = within(dialog).getByLabelText('Effective date');
  expect(date).toHaveValue(dayIn(0));
  fireEvent.change(date, { target: { value: dayIn(9) } });
  await press(user, 'Publish', dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await openPage('/privacy-policy');
  await screen.findByText(/^A new version takes effect on/);
  expect(screen.queryByText('A text that comes too early.')).toBeNull();
});

it('withdraws a version that was announced', async () => {
  const { params, version } = await draft('terms-of-service');
  await admin.client.adminPublishArticle({ params, body: { version, effectiveOn: dayIn(9) } });
  await openPage('/terms-of-service');
  await screen.findByText(/^A new version takes effect on/);
  const user = await openPage(`/admin/pages/${params.id}`, admin);
  await press(user, 'Withdraw version');
  await press(user, 'Withdraw version', await screen.findByRole('alertdialog'));
  await screen.findByText('Version withdrawn');
  await screen.findByRole('button', { name: 'Publish changes' });
  await openPage('/terms-of-service');
  await screen.findByRole('heading', { level: 1, name: 'Terms of Service' });
  expect(screen.queryByText(/^A new version takes effect on/)).toBeNull();
});

it('takes applications to a position once it is published', async () => {
  const title = `Backend Engineer ${randomUUID().slice(0, 8)}`;
  await createDraft(admin, 'position', { title, content: 'Text.' });
  const editor = await openPage('/admin/pages?tab=positions', admin);
  await editor.click(within(await findRow(title)).getByRole('link', { name: title }));
  await screen.findByRole('heading', { level: 1, name: 'Edit position' });
  await press(editor, 'Publish');
  await screen.findByRole('button', { name: 'Unpublish' });
  const reader = await openPage('/careers', await makeAccount());
  await reader.click(await screen.findByRole('link', { name: title }));
  await screen.findByRole('heading', { name: 'Apply for this position' });
  await screen.findByRole('button', { name: 'Send application' });
  expect(screen.queryByLabelText('Inquiry type')).toBeNull();
});
