import { screen, waitFor, within } from '@testing-library/react';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { expect, inject, it } from 'vitest';
import { holdNavigation } from '../../../../test/component/hold-navigation.ts';
import { intercept, makeProblem } from '../../../../test/component/intercept.ts';
import { db, makeAccount, openPage, readPath } from '../../../../test/component/open-page.tsx';

const { stripeUrl } = inject('site');
const order = '/subscribe?plan=pro';
const findChoice = () => screen.findByRole('button', { name: `Choose ${currentPlans.pro.name}` });

/** Waits for a toast with a title and a text. */
async function waitForToast(title: string, text: string): Promise<void> {
  const toasts = await screen.findAllByText(text);
  expect(toasts.map((toast) => toast.closest('li')?.textContent)).toContainEqual(expect.stringContaining(title));
}

it('leaves for the pricing page without a plan', async () => {
  await openPage('/subscribe', await makeAccount());
  await screen.findByText('Please select a plan from the pricing page');
  await waitFor(() => expect(readPath()).toBe('/pricing'));
});

it('leaves for the pricing page for an unknown plan', async () => {
  await openPage('/subscribe?plan=price_unknown', await makeAccount());
  await waitForToast('Subscription Error', "This plan isn't available. Choose one from the pricing page.");
  await waitFor(() => expect(readPath()).toBe('/pricing'));
});

it('stays on the pricing page when the email address is not confirmed, or the connection is lost', async () => {
  const user = await openPage('/pricing', await makeAccount({ emailVerified: false }));
  await user.click(await findChoice());
  await waitForToast(
    'Checkout Error',
    'Confirm your email address first. You can request a new link on your account page.',
  );
  intercept(/^\/api\/create-checkout-session$/, () => Promise.reject(new TypeError('Failed to fetch')));
  await user.click(await findChoice());
  await waitForToast('Checkout Error', 'Failed to create checkout session');
  expect(readPath()).toBe('/pricing');
});

it('shows that the payment provider fails in both ways of buying, and buys once it works again', async () => {
  const assign = holdNavigation();
  const sentence = "Our payment provider isn't responding. Try again in a moment. You won't be charged twice.";
  const fail = async () => makeProblem(503, 'billing_unavailable', sentence);
  intercept(/^\/api\/create-subscription$/, fail);
  const recover = intercept(/^\/api\/create-checkout-session$/, fail);
  const user = await openPage(order, await makeAccount());
  await waitForToast('Subscription Error', sentence);
  await waitFor(() => expect(readPath()).toBe('/pricing'));
  await user.click(await findChoice());
  await screen.findByText('Checkout Error');
  await waitForToast('Checkout Error', sentence);
  expect(assign).not.toHaveBeenCalled();
  recover();
  await user.click(await findChoice());
  await waitFor(() => expect(assign).toHaveBeenCalledWith(expect.stringContaining(`${stripeUrl}/checkout/`)));
});

it('leads to the sign-in when the session has ended, and back to the order', async () => {
  const assign = holdNavigation();
  const account = await makeAccount();
  intercept(/^\/api\/create-subscription$/, async (send) => {
    await db.deleteFrom('sessions').where('userId', '=', account.user.id).execute();
    return send();
  });
  await openPage(order, account);
  await waitForToast('Unauthorized', 'You are logged out. Logging in again...');
  await waitFor(() => expect(assign).toHaveBeenCalledWith(`/api/login?next=${encodeURIComponent(order)}`));
});

it('shows a payment that is being processed, until the plan is active', async () => {
  const plan = { tier: 'pro', interval: 'month', priceId: 'price_pro', price: { amount: 700, currency: 'usd' } };
  const times = { periodStart: '2026-11-01T00:00:00.000Z', periodEnd: '2026-12-01T00:00:00.000Z' };
  const rest = { cancelAt: null, pausedUntil: null, next: null, pending: null, card: null };
  let badge = 'pending';
  intercept(/^\/api\/billing$/, async (send) => {
    const subscription = { plan, planVersion: currentPlans.pro.version, badge, ...times, ...rest };
    return Response.json({ ...((await (await send()).json()) as Billing), subscription });
  });
  await openPage(order, await makeAccount());
  await screen.findByText('Your payment is being processed.', { exact: false });
  const onward = within(screen.getByRole('main')).getByRole('link', { name: 'Manage billing' });
  expect(onward).toHaveAttribute('href', '/account/billing');
  onward.focus();
  badge = 'active';
  await screen.findByRole('heading', { name: 'You have Pro' });
  await waitFor(() => expect(screen.getByRole('link', { name: 'Go to dashboard' })).toHaveFocus());
});
