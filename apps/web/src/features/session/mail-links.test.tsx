import { createHash, randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { press } from '../../../test/component/admin-page.ts';
import { intercept } from '../../../test/component/intercept.ts';
import { db, fill, makeAccount, openPage, readPath } from '../../../test/component/open-page.tsx';

const password = 'a longer battery staple';

/** The token of the link in an email to an account. */
async function makeToken({ user, email }: SignedIn, kind: 'verify' | 'reset'): Promise<string> {
  const token = randomUUID();
  const tokenHash = createHash('sha256').update(token).digest();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.insertInto('accountTokens').values({ tokenHash, userId: user.id, kind, email, expiresAt }).execute();
  return token;
}

async function reset(user: UserEvent, first: string, second = first): Promise<void> {
  await fill(user, await screen.findByLabelText('New Password'), first);
  await fill(user, screen.getByLabelText('Confirm Password'), second);
  await press(user, 'Reset Password');
}

it('confirms the email address after a click, not when the page opens', async () => {
  const account = await makeAccount({ emailVerified: false });
  const isVerified = async () => (await account.client.user()).data.emailVerified;
  const token = await makeToken(account, 'verify');
  let user = await openPage('/verify-email', account);
  await press(user, 'Send a new link');
  await screen.findByText(`We already sent a link to ${account.email}.`, { exact: false });
  user = await openPage(`/verify-email?token=${token}`, account);
  await screen.findByRole('button', { name: 'Confirm email address' });
  expect(await isVerified()).toBe(false);
  await press(user, 'Confirm email address');
  await screen.findByRole('heading', { name: 'Email address confirmed' });
  expect(await isVerified()).toBe(true);
});

it('shows validation errors of a new password', async () => {
  const user = await openPage(`/reset-password?token=${await makeToken(await makeAccount(), 'reset')}`);
  await reset(user, 'short');
  await screen.findByText('Password Too Short');
  await reset(user, password, `${password}r`);
  await screen.findByText("Passwords Don't Match");
  expect(await screen.findAllByText('Please ensure both password fields match')).not.toHaveLength(0);
  expect(screen.getByLabelText('Confirm Password')).toHaveAttribute('aria-invalid', 'true');
  await reset(user, 'password123');
  await screen.findByText('Password Reset Failed');
});

it('resets the password, and redirects to the sign-in page', async () => {
  const account = await makeAccount();
  const user = await openPage(`/reset-password?token=${await makeToken(account, 'reset')}`);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  intercept(/^\/api\/reset-password$/, (send) => held.then(send));
  await reset(user, password);
  await screen.findByRole('button', { name: 'Resetting Password...' });
  release();
  await screen.findByRole('heading', { name: 'Password Reset Successful' });
  await screen.findByRole('link', { name: 'Go to Login' });
  await waitFor(() => expect(readPath()).toBe('/auth'));
  await fill(user, await screen.findByLabelText('Email'), account.email);
  await fill(user, screen.getByLabelText('Password'), password);
  await press(user, 'Sign In');
  await screen.findByText('Welcome, Ada');
});

it('requests a new link after one that was used', async () => {
  const account = await makeAccount();
  const token = await makeToken(account, 'reset');
  await account.client.resetPassword({ body: { token, newPassword: password } });
  const user = await openPage(`/reset-password?token=${token}`);
  await reset(user, password);
  await screen.findByRole('heading', { name: 'Invalid Reset Link' });
  await press(user, 'Request a new link');
  await fill(user, await screen.findByLabelText('Email'), account.email);
  await press(user, 'Send Reset Link');
  const main = within(screen.getByRole('main'));
  await main.findByText(/^If an account with this email exists/);
});

it('shows where to get a new link when the token is missing', async () => {
  await openPage('/reset-password');
  await screen.findByRole('heading', { name: 'Invalid Reset Link' });
  screen.getByText('No reset token found in the URL');
  screen.getByRole('link', { name: 'Back to Login' });
  const user = await openPage('/verify-email', await makeAccount());
  await user.click(await screen.findByRole('link', { name: 'Go to account settings' }));
  await waitFor(() => expect(readPath()).toBe('/account'));
  expect(window.location.hash).toBe('#email');
});
