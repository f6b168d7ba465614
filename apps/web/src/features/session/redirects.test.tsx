import { randomUUID } from 'node:crypto';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { expect, it } from 'vitest';
import { press } from '../../../test/component/admin-page.ts';
import { holdNavigation } from '../../../test/component/hold-navigation.ts';
import { intercept } from '../../../test/component/intercept.ts';
import { fill, makeAccount, openPage, readPath, site } from '../../../test/component/open-page.tsx';

const password = 'six feet under';
const enter = async (user: UserEvent, label: string, value: string) =>
  fill(user, await screen.findByLabelText(label), value);

it('redirects to the sign-in page and back to the same tab', async () => {
  const path = '/dashboard?tab=activity';
  const account = await makeAccount();
  const assign = holdNavigation();
  await openPage(path);
  await screen.findByText('Unauthorized');
  await screen.findByText('You are logged out. Logging in again...');
  await waitFor(() => expect(assign).toHaveBeenCalledOnce());
  const target = new URL(String(assign.mock.calls[0]?.[0]), site.url);
  expect(target.searchParams.get('next')).toBe(path);
  const user = await openPage(`/auth?next=${encodeURIComponent(path)}`);
  await enter(user, 'Email', account.email);
  await enter(user, 'Password', account.password);
  await press(user, 'Sign In');
  await screen.findByRole('heading', { level: 1, name: 'Welcome, Ada' });
  await screen.findByRole('tab', { name: 'Recent Activity', selected: true });
});

it('redirects a visitor who chooses a plan that is not configured to the sign-in page and back', async () => {
  intercept(/^\/api\/plans$/, async (send) => {
    const cards = (await (await send()).json()) as PlanCard[];
    return Response.json(cards.map((card) => ({ ...card, priceId: null })));
  });
  await openPage('/pricing');
  const link = await screen.findByRole('link', { name: `Choose ${currentPlans.pro.name}` });
  const path = `/auth?tab=sign-up&next=${encodeURIComponent('/pricing')}`;
  expect(link).toHaveAttribute('href', path);
  const user = await openPage(path);
  await screen.findByText('Sign in to continue.');
  await user.click(screen.getByRole('tab', { name: 'Sign Up' }));
  const email = `${randomUUID()}@example.test`;
  await enter(user, 'Email', email);
  await enter(user, 'Password', password);
  await user.click(screen.getByRole('checkbox', { name: /^I am 13 or older/ }));
  await press(user, 'Create Account');
  await waitFor(() => expect(readPath()).toBe('/pricing'));
  await screen.findByText('Account created');
  await screen.findByText(`We sent a link to ${email}. Open it to confirm your email address.`);
});
