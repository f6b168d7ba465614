import { screen, waitFor, within } from '@testing-library/react';
import { accountResponses } from '@uprez/contracts/texts/answers';
import { makeCookieFetch } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { db, fill, makeAccount, makeProtectedAccount, openPage, site } from '../../../test/component/open-page.tsx';

const findSection = async (name: string) => within(await screen.findByRole('region', { name }));
const newPassword = 'a yet longer battery staple';

it('changes the password, shows validation errors, and signs out other browsers', async () => {
  const account = await makeAccount();
  const { email, password } = account;
  const other = makeCookieFetch();
  const readUser = async () => (await other(`${site.url}/api/user`)).status;
  await other(`${site.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(await readUser()).toBe(200);
  const user = await openPage('/account', account);
  const section = await findSection('Password');
  await user.click(section.getByRole('button', { name: 'Change password' }));
  const submit = async (first: string, second: string, current: string) => {
    await fill(user, section.getByLabelText('New Password'), first);
    await fill(user, section.getByLabelText('Confirm Password'), second);
    await fill(user, section.getByLabelText('Current password'), current);
    await user.click(section.getByRole('button', { name: 'Change password' }));
  };
  await submit('short', 'short', password);
  await section.findByText(/^Password must be at least/);
  expect(screen.getAllByText(/^Password must be at least/)).toHaveLength(1);
  expect(section.getByLabelText('New Password')).toHaveAttribute('aria-invalid', 'true');
  expect(section.getByLabelText('Current password')).toHaveAttribute('autocomplete', 'current-password');
  await submit(password, password, password);
  await section.findByText('Choose a password that differs from your current one.');
  await submit(newPassword, `${newPassword}r`, password);
  await section.findByText('Please ensure both password fields match');
  await submit('password123', 'password123', password);
  await section.findByText('This password is too common. Choose another one.');
  await submit(newPassword, newPassword, 'not this one');
  await section.findByText('Your current password is incorrect.');
  expect(section.getByLabelText('New Password')).toHaveValue(newPassword);
  await submit(newPassword, newPassword, password);
  await section.findByText(accountResponses.passwordChanged);
  expect(section.getByRole('button', { name: 'Change password' })).toHaveFocus();
  expect(await readUser()).toBe(401);
  await (await findSection('Devices')).findByText(/^This device ·/);
});

it('sends a link to a new email address, and names the current one', async () => {
  const account = await makeAccount();
  const newEmail = `new-${account.email}`;
  const user = await openPage('/account', account);
  const section = await findSection('Email address');
  await user.click(section.getByRole('button', { name: 'Change email' }));
  const field = section.getByLabelText('New email address');
  await fill(user, field, account.email);
  await fill(user, section.getByLabelText('Current password'), account.password);
  await user.click(section.getByRole('button', { name: 'Send link' }));
  await section.findByText('This is already your email address.');
  await fill(user, field, newEmail);
  await user.click(section.getByRole('button', { name: 'Send link' }));
  await section.findByText(`Check your inbox at ${newEmail}.`);
  section.getByText(accountResponses.emailChangeAsked);
  section.getByText(account.email);
  const mails = db.selectFrom('outbox').select('payload').where('userId', '=', account.user.id);
  await waitFor(async () =>
    expect(await mails.execute()).toContainEqual({
      payload: expect.objectContaining({ mail: 'confirm_new_email', to: newEmail }),
    }),
  );
});

it('links an expired email confirmation to the account settings', async () => {
  const account = await makeAccount();
  const user = await openPage('/verify-email?token=gone', account);
  await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
  await screen.findByRole('heading', { name: "Couldn't confirm email address" });
  await user.click(await screen.findByRole('link', { name: 'Go to account settings' }));
  (await findSection('Email address')).getByText(account.email);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Email address' })).toHaveFocus());
});

it('asks for a code to change the email address, and shows the new one when it is confirmed', async () => {
  const { account, codes } = await makeProtectedAccount();
  const newEmail = `new-${account.email}`;
  const user = await openPage('/account', account);
  const section = await findSection('Email address');
  await user.click(section.getByRole('button', { name: 'Change email' }));
  await fill(user, section.getByLabelText('New email address'), newEmail);
  await fill(user, section.getByLabelText('Current password'), account.password);
  await fill(user, section.getByLabelText('Authenticator code or recovery code'), codes[0] ?? '');
  await user.click(section.getByRole('button', { name: 'Send link' }));
  await section.findByText(`Check your inbox at ${newEmail}.`);
  // The link is opened in another browser.
  await db.updateTable('users').set({ email: newEmail }).where('id', '=', account.user.id).execute();
  await openPage('/account', account);
  const changed = await findSection('Email address');
  await changed.findByText(newEmail);
  changed.getByText('Confirmed');
});
