import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import { holdNavigation } from '../../../test/component/hold-navigation.ts';
import { intercept } from '../../../test/component/intercept.ts';
import { db, fill, makeAccount, openPage, readPath, site } from '../../../test/component/open-page.tsx';
import { stubStripe } from '../../../test/component/shop.ts';
import { router } from '../../app/router.tsx';

const { name } = currentPlans.pro;
const order = '/subscribe?plan=pro';

/** Opens the page of a confirmation link, and confirms. The token of a link is in no table. */
async function confirmEmail(email: string, next: string): Promise<UserEvent> {
  intercept(/^\/api\/verify-email$/, async () => {
    await db.updateTable('users').set({ emailVerified: true }).where('email', '=', email).execute();
    return Response.json({ message: 'Confirmed.' });
  });
  const user = await openPage(`/verify-email?${new URLSearchParams({ token: 'sent', next })}`);
  await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
  return user;
}

it('leads to the order in a browser without a session, after the sign-in', async () => {
  stubStripe();
  const { email, password } = await makeAccount({ emailVerified: false });
  const user = await confirmEmail(email, order);
  const assign = holdNavigation();
  await user.click(await screen.findByRole('link', { name: `Continue to ${name}` }));
  const signIn = `next=${encodeURIComponent(order)}`;
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`/api/login?${signIn}`));
  await router.navigate(`/auth?${signIn}`);
  await screen.findByText(`Sign up or sign in to subscribe to ${name}. You'll review the order before you pay.`);
  await fill(user, screen.getByLabelText('Email'), email);
  await fill(user, screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await waitFor(() => expect(readPath()).toBe(order));
  await screen.findByText(`${name} plan`);
});

it('names the plan before the email address is confirmed', async () => {
  await openPage(`/verify-email?${new URLSearchParams({ token: 'sent', next: order })}`);
  await screen.findByText(`Then you can subscribe to ${name}.`, { exact: false });
});

it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('does not lead to %s', async (next) => {
  const query = new URLSearchParams({ next });
  const redirect = await fetch(`${site.url}/api/login?${query}`, { redirect: 'manual' });
  expect(redirect.headers.get('location')).toBe(`/auth?next=${encodeURIComponent('/')}`);
  const email = `${randomUUID()}@example.test`;
  const user = await openPage(`/auth?${query}`);
  await user.click(await screen.findByRole('tab', { name: 'Sign Up' }));
  await screen.findByLabelText(/^Last Name/);
  await fill(user, screen.getByLabelText('Email'), email);
  await fill(user, screen.getByLabelText('Password'), 'six feet under');
  await user.click(screen.getByRole('checkbox', { name: /^I am 13 or older/ }));
  await user.click(screen.getByRole('button', { name: 'Create Account' }));
  await waitFor(() => expect(readPath()).toBe('/'));
  const mails = db.selectFrom('outbox').innerJoin('users', 'users.id', 'userId').select('payload');
  expect(await mails.where('email', '=', email).execute()).toContainEqual({ payload: { mail: 'verify_email' } });
  await confirmEmail(email, next);
  const links = within(screen.getByRole('main')).findByRole('link', { name: /^Go to / });
  expect(await links).toHaveAttribute('href', '/');
});
