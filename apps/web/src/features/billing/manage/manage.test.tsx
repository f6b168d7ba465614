import { screen, waitFor, within } from '@testing-library/react';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { intercept } from '../../../../test/component/intercept.ts';
import { db, fill, makeAccount, openPage } from '../../../../test/component/open-page.tsx';
import { payments, subscribe } from '../../../../test/component/shop.ts';

const names = { pro: currentPlans.pro.name, basic: currentPlans.api_basic.name };
const date = /[A-Z][a-z]{2} \d{1,2}, \d{4}/;

async function makeSubscriber(plan: Tier): Promise<SignedIn> {
  const account = await makeAccount();
  await subscribe(account, plan);
  return account;
}

const findButton = (name: string | RegExp) => screen.findByRole('button', { name });
const findSection = async (name: string) => within(await screen.findByRole('region', { name }));
const tierOf = async ({ user }: SignedIn) =>
  (await db.selectFrom('users').select('tier').where('id', '=', user.id).executeTakeFirstOrThrow()).tier;

it('makes a downgrade at the end of the period, which can be undone', async () => {
  const account = await makeSubscriber('api_basic');
  const user = await openPage('/account/billing', account);
  await user.click(await findButton(`Choose ${names.pro}`));
  await screen.findByText(new RegExp(`^You keep your current plan until ${date.source}\\. Nothing is due today\\.$`));
  const losses = within(screen.getByRole('list', { name: new RegExp(`^Reduced on ${date.source}$`) }));
  losses.getByText('100 AI images and 1,000 standard images per month instead of 1,000 images of any kind', {
    exact: false,
  });
  losses.getByText('API access in the sandbox only');
  await user.click(await findButton(new RegExp(`^Change plan on ${date.source}$`)));
  const change = new RegExp(`^Your plan changes to ${names.pro} on ${date.source}\\.$`);
  await screen.findByText(change);
  const own = await findSection('Your plan');
  own.getByText(/^\$7\.00 on .+ \(Plan change\)$/);
  await waitFor(() => expect(own.getByRole('heading')).toHaveFocus());
  expect(await tierOf(account)).toBe('api_basic');
  const pause = await findButton('Pause plan');
  expect(pause).toBeDisabled();
  expect(pause).toHaveAccessibleDescription(
    new RegExp(
      `^Your plan changes to ${names.pro} on ${date.source}\\. Undo the change before you pause your plan\\.$`,
    ),
  );
  await user.click(await findButton('Undo change'));
  await screen.findByText('Your plan stays the same');
  await waitFor(() => expect(screen.queryByText(change)).toBeNull());
  expect(await findButton('Pause plan')).toBeEnabled();
  own.getByText(/^\$19\.00 on .+ \(Renewal\)$/);
});

it('pauses and resumes a plan', async () => {
  const user = await openPage('/account/billing', await makeSubscriber('pro'));
  await user.click(await findButton('Pause plan'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: '3 months' }));
  await user.click(dialog.getByRole('button', { name: 'Pause plan' }));
  const paused = new RegExp(`^Your plan pauses on ${date.source} and continues on ${date.source}\\.`);
  await screen.findByText(paused);
  expect(await findButton('Pause plan')).toBeDisabled();
  screen.getByText('Your plan is set to pause. Resume it before you change it.');
  expect(await findButton(`Choose ${names.basic}`)).toBeDisabled();
  await user.click(await findButton('Resume plan'));
  await screen.findByText('Your plan continues');
  await waitFor(() => expect(screen.queryByText(paused)).toBeNull());
});

it('keeps what was typed when canceling fails, and keeps a canceled plan', async () => {
  const account = await makeSubscriber('pro');
  const user = await openPage('/account/billing', account);
  await user.click(await findButton('Cancel plan'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('combobox', { name: 'Why are you canceling?' }));
  await user.click(await screen.findByRole('option', { name: "It's too expensive" }));
  await fill(user, dialog.getByLabelText(/^Comment/), 'Back in spring');
  const reconnect = intercept(/^\/api\/billing\/cancel$/, () => Promise.reject(new TypeError('Failed to fetch')));
  await user.click(dialog.getByRole('button', { name: 'Cancel plan' }));
  await dialog.findByText("Couldn't cancel plan");
  expect(dialog.getByLabelText(/^Comment/)).toHaveValue('Back in spring');
  reconnect();
  await user.click(dialog.getByRole('button', { name: 'Cancel plan' }));
  const ends = new RegExp(`^Your plan ends on ${date.source}\\. You can use it until then\\.$`);
  await screen.findByText(ends);
  (await findSection('Your plan')).getByText("You won't be billed again.");
  screen.getByText('Your plan is set to end. To change it, select "Keep plan" first.');
  expect(await findButton(`Choose ${names.basic}`)).toBeDisabled();
  expect(await tierOf(account)).toBe('pro');
  await user.click(await findButton('Keep plan'));
  await screen.findByText('Your plan continues');
  await waitFor(() => expect(screen.queryByText(ends)).toBeNull());
});

it('shows the new money of a change when the plan has changed elsewhere', async () => {
  const account = await makeSubscriber('pro');
  const user = await openPage('/account/billing?plan=api_basic', account);
  const confirm = await findButton(/^Pay \$12(\.\d\d)? and change plan$/);
  const priceId = 'api_pro';
  const { previewId } = (await account.client.previewChange({ body: { priceId } })).data;
  await account.client.changePlan({ body: { priceId, previewId } });
  await user.click(confirm);
  await waitFor(() =>
    expect(
      screen
        .getAllByRole('alert')
        .filter(({ textContent }) =>
          textContent.includes('The price has changed since you saw it. Check the new amount and confirm again.'),
        ),
    ).not.toEqual([]),
  );
  await findButton(new RegExp(`^Change plan on ${date.source}$`));
  expect(await tierOf(account)).toBe('api_pro');
});

it('rejects a code of a link for a change at the end of the period, and removes it', async () => {
  const { code } = await makeSyncedCoupon({ db, payments });
  const user = await openPage(`/account/billing?plan=pro&coupon=${code}`, await makeSubscriber('api_basic'));
  await screen.findByText(
    "Codes don't apply to a change at the end of your billing period. Remove the code to continue.",
  );
  await user.click(await findButton('Remove code'));
  await findButton(/^Change plan on /);
  expect(screen.queryByRole('button', { name: 'Add a promo code' })).toBeNull();
  await findButton(`Choose ${names.pro}`);
});
