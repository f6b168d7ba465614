import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { totpCode } from '@uprez/testing/totp-code';
import { expect, it } from 'vitest';
import { press } from '../../../test/component/admin-page.ts';
import { holdNavigation } from '../../../test/component/hold-navigation.ts';
import { db, fill, makeAccount, openPage } from '../../../test/component/open-page.tsx';
import { router } from '../../app/router.tsx';

const signIn = `next=${encodeURIComponent('/account')}`;
const findHeading = (name = 'Account') => screen.findByRole('heading', { level: 1, name });

it('opens from its own URL after the sign-up', async () => {
  const assign = holdNavigation();
  const user = await openPage('/account');
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`/api/login?${signIn}`));
  await router.navigate(`/auth?${signIn}`);
  await user.click(await screen.findByRole('tab', { name: 'Sign Up' }));
  await fill(user, await screen.findByLabelText(/^First Name/), 'Grace');
  await fill(user, screen.getByLabelText('Email'), `${randomUUID()}@example.test`);
  await fill(user, screen.getByLabelText('Password'), 'a longer battery staple');
  await user.click(screen.getByRole('checkbox', { name: /^I am 13 or older/ }));
  await press(user, 'Create Account');
  await findHeading();
});

it('shows an error for a wrong password once, and requests an export', async () => {
  const account = await makeAccount();
  const user = await openPage('/account', account);
  await press(user, 'Export data');
  const field = await screen.findByLabelText('Current password');
  await fill(user, field, 'not this one');
  await press(user, 'Export data');
  await screen.findByText('Your current password is incorrect.');
  expect(screen.getAllByText('Your current password is incorrect.')).toHaveLength(1);
  expect(field).toHaveAttribute('aria-invalid', 'true');
  await fill(user, field, account.password);
  await press(user, 'Export data');
  await screen.findByText('Data export requested');
});

it('schedules the deletion of the account with a recovery code, and cancels it', async () => {
  const account = await makeAccount();
  const { client, email, password } = account;
  const user = await openPage('/account', account);
  await findHeading();
  // The page was loaded before two-factor authentication was turned on.
  const { secret } = (await client.setUpTwoFactor({ body: { password } })).data;
  const { recoveryCodes } = (await client.enableTwoFactor({ body: { code: totpCode(secret) } })).data;
  await press(user, 'Delete account');
  const dialog = await screen.findByRole('dialog');
  const form = within(dialog);
  await waitFor(() => expect(form.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  await fill(user, form.getByLabelText('Current password'), password);
  const typed = form.getByLabelText(`Type ${email} to confirm`);
  await fill(user, typed, 'somebody@example.test');
  await press(user, 'Delete account', dialog);
  await form.findByText("This doesn't match your email address.");
  await fill(user, typed, email);
  await press(user, 'Delete account', dialog);
  await fill(user, await form.findByLabelText('Authenticator code or recovery code'), recoveryCodes[0] ?? '');
  await press(user, 'Delete account', dialog);
  await screen.findByText(/^Your account will be deleted on /);
  await screen.findByText('Your account is set to be deleted');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Keep account' })).toHaveFocus());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull());
  const mails = db.selectFrom('outbox').select('payload').where('userId', '=', account.user.id);
  expect(await mails.execute()).toContainEqual({ payload: expect.objectContaining({ mail: 'deletion_asked' }) });
  for (const [path, heading] of [
    ['/pricing', 'Plans for one image or thousands'],
    ['/dashboard', 'Welcome, Ada'],
  ] as const) {
    await openPage(path, account);
    await findHeading(heading);
    await screen.findByText(/^Your account will be deleted on /);
  }
  const returned = await openPage('/account', account);
  await press(returned, 'Keep account');
  await screen.findByText("Your account won't be deleted");
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep account' })).toBeNull());
  await waitFor(() => expect(document.activeElement).toHaveAttribute('id', 'content'));
  const kept = db.selectFrom('users').select('deletesAt').where('id', '=', account.user.id);
  expect(await kept.executeTakeFirst()).toEqual({ deletesAt: null });
  await press(returned, 'Delete account');
  await screen.findByLabelText('Authenticator code or recovery code');
  await returned.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('leads to the sign-in and back when the session has ended', async () => {
  const assign = holdNavigation();
  const account = await makeAccount();
  const user = await openPage('/account', account);
  await screen.findByRole('list', { name: 'Signed-in devices' });
  await db.deleteFrom('sessions').where('userId', '=', account.user.id).execute();
  await press(user, 'Sign out everywhere');
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`/api/login?${signIn}`));
  await router.navigate(`/auth?${signIn}`);
  await fill(user, await screen.findByLabelText('Email'), account.email);
  await fill(user, screen.getByLabelText('Password'), account.password);
  await press(user, 'Sign In');
  await findHeading();
});

it('signs out all devices, and leads to the sign-in afterward', async () => {
  const assign = holdNavigation();
  const account = await makeAccount();
  const user = await openPage('/account', account);
  await press(user, 'Sign out everywhere');
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'));
  await openPage('/', account);
  await waitFor(() => expect(screen.getAllByRole('link', { name: 'Sign In' })).not.toEqual([]));
  await openPage('/account', account);
  await waitFor(() => expect(assign).toHaveBeenLastCalledWith(`/api/login?${signIn}`));
});
