import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import { intercept } from '../../../test/component/intercept.ts';
import { fill, makeAccount, makeProtectedAccount, openPage, readPath } from '../../../test/component/open-page.tsx';

const makeEmail = () => `${randomUUID()}@example.test`;

/** Holds requests until they are released. */
function holdRequests(url: RegExp) {
  const held: (() => void)[] = [];
  intercept(url, async (send) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return send();
  });
  return async () => {
    await waitFor(() => expect(held).toHaveLength(1));
    held.pop()?.();
  };
}

/** Errors are shown on the page or in a toast, not in both. */
async function showsOnce(text: string): Promise<void> {
  await screen.findByText(text);
  const toasts = screen.queryByRole('region', { name: /^Notification/ });
  expect(toasts && within(toasts).queryByRole('listitem')).toBeNull();
}

it('shows progress and errors of signing in', async () => {
  const release = holdRequests(/^\/api\/login$/);
  const user = await openPage('/auth');
  const plans = await screen.findByRole('list', { name: 'Plans' });
  await within(plans).findByText(currentPlans.api_pro.name);
  const address = makeEmail();
  await fill(user, screen.getByLabelText('Email'), address);
  const password = screen.getByLabelText('Password');
  await fill(user, password, 'six feet under');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await screen.findByRole('button', { name: 'Signing in...' });
  await release();
  await showsOnce('Login failed');
  await showsOnce('Incorrect email or password.');
  expect(password).toHaveAttribute('aria-invalid', 'true');
  expect(screen.getByLabelText('Email')).toHaveValue(address);
});

it('asks for a code after the password, and names a wrong one', async () => {
  const { account, codes } = await makeProtectedAccount();
  const { email, password } = account;
  await account.client.login({ body: { email, password, code: codes[0] } });
  const user = await openPage('/auth');
  await fill(user, await screen.findByLabelText('Email'), email);
  await fill(user, screen.getByLabelText('Password'), 'not this one');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  const form = within(screen.getByRole('tabpanel'));
  await form.findByText('Incorrect email or password.');
  expect(screen.getByLabelText('Password')).toHaveAttribute('aria-invalid', 'true');
  await fill(user, screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  const code = await screen.findByLabelText('Authenticator code or recovery code');
  // The error of the previous step is gone, at the field and in the toast.
  await waitFor(() => expect(screen.queryByText('Incorrect email or password.')).toBeNull());
  let sent = 0;
  intercept(/^\/api\/login$/, (send) => {
    sent += 1;
    return send();
  });
  await fill(user, code, '123 45');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await form.findByText('Enter all 6 digits from your authenticator app, or a full recovery code.');
  expect(sent).toBe(0);
  await fill(user, code, codes[0] ?? '');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await form.findByText(/^This code is incorrect or was already used\./);
  expect(sent).toBe(1);
});

it('signs in with a recovery code after a wrong code', async () => {
  const { account, codes } = await makeProtectedAccount();
  const user = await openPage('/auth');
  await fill(user, await screen.findByLabelText('Email'), account.email);
  await fill(user, screen.getByLabelText('Password'), account.password);
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  const code = await screen.findByLabelText('Authenticator code or recovery code');
  expect(screen.queryByText('Login failed')).toBeNull();
  await fill(user, code, '000000');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await screen.findByText('Login failed');
  await fill(user, code, codes[0] ?? '');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await screen.findByText('Welcome, Ada');
});

it('shows progress and errors of signing up', async () => {
  const release = holdRequests(/^\/api\/register$/);
  const user = await openPage('/auth');
  await user.click(await screen.findByRole('tab', { name: 'Sign Up' }));
  await screen.findByLabelText(/^Last Name/);
  await fill(user, screen.getByLabelText('Email'), makeEmail());
  await fill(user, screen.getByLabelText('Password'), 'short');
  await user.click(screen.getByRole('checkbox', { name: /^I am 13 or older/ }));
  await user.click(screen.getByRole('button', { name: 'Create Account' }));
  await screen.findByRole('button', { name: 'Creating account...' });
  await release();
  await showsOnce('Registration failed');
});

it('closes the password reset form and clears the email address', async () => {
  const release = holdRequests(/^\/api\/forgot-password$/);
  const user = await openPage('/auth');
  await user.click(await screen.findByRole('button', { name: 'Forgot your password?' }));
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await user.click(screen.getByRole('button', { name: 'Forgot your password?' }));
  await fill(user, screen.getByLabelText('Email'), makeEmail());
  await user.click(screen.getByRole('button', { name: 'Send Reset Link' }));
  await screen.findByRole('button', { name: 'Sending...' });
  await release();
  await screen.findByText('Password Reset Sent');
  await screen.findByRole('button', { name: 'Forgot your password?' });
  expect(screen.getByLabelText('Email')).toHaveValue('');
});

it.each([
  ['/auth', '/'],
  ['/auth?next=/pricing', '/pricing'],
  ['/auth?next=//evil.example', '/'],
])('redirects signed-in users from %s to %s', async (from, to) => {
  await openPage(from, await makeAccount());
  await screen.findByText('Welcome, Ada');
  await waitFor(() => expect(readPath()).toBe(to));
});
