import { expect, type Page } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import {
  advance,
  bankFrame,
  fillCard,
  paymentFrame,
  type Shop,
  setCardOutcome,
  signUpBuyer,
  subscribe,
  tierOf,
} from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

const names = { pro: currentPlans.pro.name, basic: currentPlans.api_basic.name };
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const date = /[A-Z][a-z]{2} \d{1,2}, \d{4}/;

/** Opens the billing page, on which `plan` is shown with what it costs. */
async function openBilling(page: Page, shop: Shop, plan?: string) {
  await page.goto(`${shop.url}/account/billing${plan ? `?plan=${plan}` : ''}`);
  await region(page, 'Your plan').getByText('Next bill').waitFor();
}

/** Replaces the card by one of Stripe's test cards. */
async function changeCard(page: Page, number: string) {
  await button(page, 'Update payment method').first().click();
  await fillCard(page, number);
  await button(page, 'Save payment method').click();
  await waitForToast(page, 'Payment method saved');
}

test('an upgrade shows its money first, keeps the plan when declined, finishes by 3-D Secure, and is canceled', async ({
  page,
  context,
  shop,
}) => {
  const buyer = await signUpBuyer(shop, context);
  await subscribe(shop, buyer);
  await openBilling(page, shop, 'api_basic');
  const own = region(page, 'Your plan');
  await own.getByText('Active', { exact: true }).waitFor();
  await own.getByText(/^\$7\.00 on .+ \(Renewal\)$/).waitFor();
  const panel = page.getByRole('heading', { name: `Change to ${names.basic}` });
  await panel.waitFor();
  const bill = page.getByLabel('Bill');
  await bill.getByText('Due today').waitFor();
  await bill.getByText(/^\$19\.00 on /).waitFor();
  const gains = page.getByRole('list', { name: 'You gain today' });
  await gains.getByText('API access and API keys', { exact: true }).waitFor();
  await expect(page.getByRole('list', { name: /^Reduced/ })).toHaveCount(0);
  const confirm = button(page, /^Pay \$12(\.\d\d)? and change plan$/);
  await confirm.waitFor();
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Keep current plan').click();
  await panel.waitFor({ state: 'detached' });

  await changeCard(page, '4000000000000341');
  await region(page, 'Payment method').getByText('Visa ending in 0341').waitFor();
  await button(page, `Choose ${names.basic}`).click();
  await confirm.click();
  await waitForToast(page, 'Payment Failed', "Your card was declined. You weren't charged.");
  await expect(panel).toBeVisible();
  expect(await tierOf(shop, buyer.id)).toBe('pro');
  await own.getByText(names.pro, { exact: true }).waitFor();

  // This card asks for 3-D Secure when it is saved, and for each payment.
  await button(page, 'Update payment method').click();
  await fillCard(page, '4000002760003184');
  await button(page, 'Save payment method').click();
  await bankFrame(page).getByRole('button', { name: 'Complete' }).click();
  await region(page, 'Payment method').getByText('Visa ending in 3184').waitFor();
  await confirm.click();
  await bankFrame(page).getByRole('button', { name: 'Fail' }).click();
  await waitForToast(page, 'Payment Failed');
  const pending = own.getByText(new RegExp(`^Your change to ${names.basic} isn't paid yet\\.`));
  await expect(button(page, 'Pause plan')).toHaveAccessibleDescription(
    `Your change to ${names.basic} isn't paid yet. Pay or undo it before you pause your plan.`,
  );
  await pending.waitFor();
  expect(await tierOf(shop, buyer.id)).toBe('pro');
  await button(page, 'Undo change').click();
  await pending.waitFor({ state: 'detached' });
  await button(page, `Choose ${names.basic}`).click();
  await confirm.click();
  await bankFrame(page).getByRole('button', { name: 'Complete' }).click();
  await waitForToast(page, `You now have the ${names.basic} plan`);
  await own.getByText(names.basic, { exact: true }).waitFor();
  await panel.waitFor({ state: 'detached' });
  expect(await tierOf(shop, buyer.id)).toBe('api_basic');

  // The forms that pause and cancel the plan, on a narrow screen.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await button(page, 'Pause plan').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await button(page, 'Cancel plan').click();
  await page.route('**/api/billing/cancel', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Cancel plan' }).click();
  await dialog.getByText("Couldn't cancel plan", { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Cancel plan' }).click();
  await page.getByText(/^Your plan ends on .+ You can use it until then/).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('a failed renewal shows a banner on every page until the bill is paid', async ({ page, context, shop }) => {
  const buyer = await signUpBuyer(shop, context);
  await subscribe(shop, buyer);
  await openBilling(page, shop);
  await changeCard(page, '4000000000000341');
  await advance(shop, buyer, { until: 'period_end' });
  await advance(shop, buyer, { seconds: 2 * 3_600 });
  await expect
    .poll(async () => (await context.request.get(`${shop.url}/api/billing`)).json(), { timeout: 60_000 })
    .toMatchObject({ subscription: { badge: 'past_due' }, unpaid: { amount: 700 } });
  const sentence = new RegExp(
    `^Your payment of \\$7\\.00 failed\\. We'll try again on ${date.source}\\. Without payment, your plan ends on ${date.source}\\. Your quota is reduced until the bill is paid\\.$`,
  );
  const banner = region(page, 'Unpaid bill');
  for (const path of ['/', '/pricing', '/documentation', '/dashboard', '/account', '/account/billing']) {
    await page.goto(shop.url + path);
    await banner.getByText(sentence).waitFor();
    await expect(banner).toHaveCount(1);
  }
  await region(page, 'Your plan').getByText('Past due', { exact: true }).waitFor();
  await page.getByText('Pay your unpaid bill before you change your plan.').waitFor();
  await expect(button(page, 'Pause plan')).toHaveAccessibleDescription(
    'Pay your unpaid bill before you pause your plan.',
  );
  await button(page, 'Pay now').click();
  await waitForToast(page, 'Payment Failed', "Your card was declined. You weren't charged.");
  // The banner leads to the form, and another card pays the bill.
  await page.goto(`${shop.url}/dashboard`);
  await banner.getByRole('link', { name: 'Update payment method' }).click();
  await paymentFrame(page).getByLabel('Card number').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await fillCard(page, '4242424242424242');
  await button(page, 'Save payment method').click();
  await waitForToast(page, 'Payment method saved');
  await banner.waitFor({ state: 'detached' });
  await region(page, 'Your plan').getByText('Active', { exact: true }).waitFor();
  await page.goto(`${shop.url}/dashboard`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect(banner).toHaveCount(0);
});

test('an unpaid bill is confirmed by 3-D Secure', async ({ page, context, shop }) => {
  const buyer = await signUpBuyer(shop, context);
  await subscribe(shop, buyer);
  await setCardOutcome(shop, buyer, 'authentication');
  await advance(shop, buyer, { until: 'period_end' });
  await advance(shop, buyer, { seconds: 2 * 3_600 });
  const readBilling = async () => (await context.request.get(`${shop.url}/api/billing`)).json();
  await expect.poll(readBilling, { timeout: 60_000 }).toMatchObject({ subscription: { badge: 'past_due' } });
  await page.goto(`${shop.url}/dashboard`);
  await region(page, 'Unpaid bill').getByRole('link', { name: 'Pay now' }).click();
  const pay = button(page, 'Pay now');
  await expect(pay).toBeFocused();
  await pay.press('Enter');
  await bankFrame(page).getByRole('button', { name: 'Fail' }).click();
  await waitForToast(page, 'Payment Failed');
  await pay.click();
  await bankFrame(page).getByRole('button', { name: 'Complete' }).click();
  await waitForToast(page, 'Bill paid');
  await pay.waitFor({ state: 'detached' });
  await region(page, 'Your plan').getByText('Active', { exact: true }).waitFor();
  await region(page, 'Invoices').getByText('Paid', { exact: true }).nth(1).waitFor();
});
