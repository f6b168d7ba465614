import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { openMailCatcher } from '@uprez/testing/mail';
import type { SignedIn } from '@uprez/testing/sign-up';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { confirmIdentity, press } from '../../../../test/component/admin-page.ts';
import { db, fill, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';

let admin: SignedIn;
let mail: Awaited<ReturnType<typeof openMailCatcher>>;

beforeAll(async () => {
  [admin, mail] = await Promise.all([makeAdmin(), openMailCatcher()]);
});
afterAll(() => mail?.close());

/** Removes the settings and their history. Other files don't change them. */
async function reset(): Promise<void> {
  for (const table of ['settingsVersions', 'settings'] as const)
    await db.deleteFrom(table).where('name', '=', 'email').execute();
  // They are cached for a second.
  await waitFor(async () => expect((await admin.client.getEmailSettings()).data).toMatchObject({ version: 0 }));
}
beforeEach(reset);
afterAll(reset);

const server = {
  ...{ smtpHost: 'relay.example', smtpPort: 587, smtpUser: 'relay', smtpPassword: 'the first password' },
  ...{ smtpSecure: true, fromEmail: 'relay@example.test', fromName: 'Relay' },
  ...{ welcomeEmailEnabled: true, notificationEmailEnabled: true },
};
const put = (changes: Partial<typeof server>, version: number) =>
  admin.client.putEmailSettings({ body: { ...server, ...changes, version } });

async function open(account = admin): Promise<UserEvent> {
  const user = await openPage('/admin/settings/email', account);
  await screen.findAllByRole('textbox');
  return user;
}
async function openHistory(): Promise<UserEvent> {
  const user = await openPage('/admin/settings/history/email', admin);
  await screen.findByRole('heading', { level: 1, name: 'History: Email Settings' });
  return user;
}
/** Restores a version in the open history. */
async function restore(user: UserEvent, version: string): Promise<void> {
  await press(user, 'Restore', await screen.findByRole('region', { name: version }));
  await press(user, 'Restore', await screen.findByRole('alertdialog'));
}

const field = (name: string) => screen.getByRole('textbox', { name });
const passwordField = () => screen.getByLabelText('SMTP password');
const toggle = (name: string) => screen.getByRole('switch', { name });
const fillAll = async (user: UserEvent, texts: Record<string, string>) => {
  for (const [name, value] of Object.entries(texts)) await fill(user, field(name), value);
};
const save = async (user: UserEvent) => {
  await press(user, 'Save');
  await screen.findByText('Email settings updated successfully');
};

it('sends test mails with unsaved values, then saves, keeps, and removes the password', async () => {
  const careful = await makeAdmin('owner', { isConfirmed: false });
  const user = await open(careful);
  const texts = { 'SMTP host': mail.env.SMTP_HOST, 'SMTP port': String(mail.env.SMTP_PORT) };
  await fillAll(user, { ...texts, 'SMTP user': mail.env.SMTP_USER, 'From name': 'Larger Images' });
  await fill(user, passwordField(), 'a wrong one');
  await user.click(toggle('Require TLS'));
  await press(user, 'Send test mail');
  await confirmIdentity(user, careful);
  await screen.findByText(/^The email wasn't sent\. 535/);
  await fill(user, passwordField(), mail.env.SMTP_PASSWORD);
  await press(user, 'Send test mail');
  const accepted = new RegExp(`^The mail server accepted the email to ${careful.email}: 250`);
  await screen.findByText(accepted);
  for (const name of ['Welcome emails', 'Notification emails']) await user.click(toggle(name));
  await save(user);
  const other = await open(careful);
  for (const [name, value] of Object.entries({ ...texts, 'From name': 'Larger Images' }))
    expect(field(name)).toHaveValue(value);
  expect(passwordField()).toHaveValue('');
  for (const name of ['Require TLS', 'Welcome emails', 'Notification emails']) expect(toggle(name)).not.toBeChecked();
  await press(other, 'Send test mail');
  await screen.findByText(accepted);
  await other.click(screen.getByRole('checkbox', { name: 'Remove the saved password' }));
  await save(other);
  await screen.findByText(/No password is saved\./);
  await restore(await openHistory(), 'Initial values');
  await screen.findByText('Version 0 restored');
  await open();
  expect(field('SMTP host')).toHaveValue('');
  expect(toggle('Welcome emails')).toBeChecked();
});

it('shows authors and changes in the history, and secrets only as changed', async () => {
  await put({}, 0);
  await openHistory();
  const first = within(await screen.findByRole('region', { name: 'Version 1' }));
  first.getByText(new RegExp(admin.email));
  expect(first.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('SMTP password: Changed');
  expect(document.documentElement.outerHTML).not.toContain(server.smtpPassword);
});

it('requires an SMTP password, or the choice to save without one', async () => {
  const user = await open();
  await fillAll(user, { 'SMTP host': 'relay.example', 'SMTP user': 'relay' });
  await press(user, 'Save');
  await screen.findByText('Failed to update email settings');
  await waitFor(() => expect(passwordField()).toHaveAccessibleDescription(/SMTP password is required/));
  await user.click(screen.getByRole('checkbox', { name: 'Save without a password' }));
  await save(user);
  const other = await open();
  await fill(other, field('From name'), 'Relay');
  await save(other);
  await open();
  expect(field('SMTP host')).toHaveValue('relay.example');
  expect(field('From name')).toHaveValue('Relay');
});

it('asks for the SMTP password of a restored server', async () => {
  await put({}, 0);
  await put({ smtpHost: 'other.example', smtpPassword: 'the password' }, 1);
  const user = await openHistory();
  await restore(user, 'Version 1');
  const dialog = await screen.findByRole('dialog', { name: 'Restore version 1?' });
  await fill(user, within(dialog).getByLabelText('SMTP password'), 'the former password');
  await press(user, 'Restore', dialog);
  await screen.findByText('Version 1 restored');
});
