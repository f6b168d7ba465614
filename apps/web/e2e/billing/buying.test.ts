import { expect } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { bankFrame, button, fillCard, paymentFrame, region, signUpBuyer, subscribe, tierOf } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';
import { watchFor } from '../support/watch-for.ts';

const testMode = 'Local test mode: no real money';

test("a plan is bought on Stripe's page, after a declined card, and the dashboard shows the result", async ({
  page,
  context,
  shop,
}) => {
  // A visitor signs in first and comes back.
  await page.goto(`${shop.url}/pricing`);
  await page
    .getByText("You can cancel a monthly plan at any time. Monthly payments aren't refunded.", { exact: true })
    .waitFor();
  const visitorLink = page.getByRole('link', { name: `Choose ${currentPlans.pro.name}`, exact: true });
  const signIn = new URL((await visitorLink.getAttribute('href')) ?? '', shop.url);
  expect([signIn.pathname, signIn.searchParams.get('next')]).toEqual(['/auth', '/subscribe?plan=pro']);
  const buyer = await signUpBuyer(shop, context);
  await page.reload();
  await button(page, `Choose ${currentPlans.pro.name}`).click();
  await page.waitForURL(`${shop.stripe.double.url}/checkout/**`);
  const checkout = page.url();
  await page.getByText(testMode).first().waitFor();
  await page.getByLabel('Card number').fill('4000000000000002');
  await page.getByRole('button', { name: /\$7/ }).click();
  await page.getByRole('alert').getByText('Your card was declined.').waitFor();
  const waitForResult = await watchFor(page, 'You are now subscribed!');
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByRole('button', { name: /\$7/ }).click();
  await page.waitForURL(`${shop.url}/dashboard**`);
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await waitForResult();
  await page.waitForURL(`${shop.url}/dashboard`);
  expect(await tierOf(shop, buyer.id)).toBe('pro');
  // Stripe's page was paid, so it leads here again.
  await page.goto(checkout);
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.waitForURL(`${shop.url}/dashboard`);
  // Subscribers change their plan instead of buying another one.
  await page.goto(`${shop.url}/pricing`);
  await button(page, 'Current plan').waitFor();
  const change = page.getByRole('link', { name: `Change to ${currentPlans.api_basic.name}`, exact: true });
  await expect(change).toHaveAttribute('href', /^\/account\/billing\?plan=price_/);
  await change.click();
  await page.getByRole('heading', { name: `Change to ${currentPlans.api_basic.name}` }).waitFor();
});

test('a plan is bought in the form, after a declined card and 3-D Secure, with the card number kept', async ({
  page,
  context,
  shop,
}) => {
  const buyer = await signUpBuyer(shop, context);
  await page.goto(`${shop.url}/subscribe?plan=pro`);
  const order = page.getByRole('region', { name: 'Order summary' });
  await order.getByText(`${currentPlans.pro.name} plan`, { exact: true }).waitFor();
  await order.getByText('$7 per month').waitFor();
  const included = order.getByRole('list', { name: `Included in ${currentPlans.pro.name}` });
  await included.getByText('100 AI images and 1,000 standard images per month', { exact: true }).waitFor();
  await expect(order.getByText('Due today')).toBeVisible();
  await order.getByText(/^\$7\.00 on [A-Z][a-z]{2} \d+, \d{4}$/).waitFor();
  await order.getByText(testMode).waitFor();
  await region(page, 'Payment details').getByText('Pay with cards or PayPal.', { exact: true }).waitFor();
  for (const [colorScheme, width] of [
    ['dark', 360],
    ['light', 360],
    ['dark', 1_280],
    ['light', 1_280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(width);
    const examined = colorScheme === 'dark' ? 'colors' : 'all';
    expect(await findViolations(page, examined), `${colorScheme} ${width}`).toEqual([]);
  }
  await fillCard(page, '4000000000000002');
  const pay = button(page, 'Pay $7.00');
  await pay.press('Enter');
  await expect(page.getByRole('form', { name: 'Payment details' }).getByRole('alert')).toHaveText(
    'Payment FailedYour card was declined.',
  );
  await expect(page.getByText('Your card was declined.')).toHaveCount(1);
  await expect(paymentFrame(page).getByLabel('Card number')).toHaveValue('4000 0000 0000 0002');
  expect(await tierOf(shop, buyer.id)).toBe('free');
  const secondTab = await context.newPage();
  await secondTab.goto(`${shop.url}/subscribe?plan=pro`);
  await fillCard(secondTab, '4242424242424242');
  await page.bringToFront();
  await fillCard(page, '4000002760003184');
  await pay.click();
  await bankFrame(page).getByRole('button', { name: 'Fail' }).click();
  await page.getByRole('form', { name: 'Payment details' }).getByText('Payment Failed', { exact: true }).waitFor();
  await pay.click();
  await bankFrame(page).getByRole('button', { name: 'Complete' }).click();
  await page.waitForURL(`${shop.url}/dashboard**`);
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.waitForURL(`${shop.url}/dashboard`);
  expect(await tierOf(shop, buyer.id)).toBe('pro');
  expect(await page.evaluate(() => 'Stripe' in window)).toBe(false);
  // The order is done, also in a tab that still shows it.
  await button(secondTab, 'Pay $7.00').click();
  await secondTab.getByRole('heading', { name: 'You have Pro' }).waitFor();
  await expect(secondTab.getByText('Payment Failed')).toHaveCount(0);
  await page.goBack();
  await page.waitForURL(`${shop.url}/subscribe?plan=pro`);
  await checkScreens(page, `${shop.url}/subscribe?plan=pro`, () =>
    page.getByRole('heading', { name: 'You have Pro' }).waitFor(),
  );
  await expect(page.getByText('Subscription Error')).toHaveCount(0);
  await page.getByRole('link', { name: 'Manage billing' }).click();
  await page.waitForURL(`${shop.url}/account/billing`);
  await page.goto(`${shop.url}/account/billing?plan=pro`);
  await page.getByText('You have Pro.', { exact: true }).waitFor();
});

test('the dashboard waits while money travels, and shows the result of the next event', async ({
  page,
  context,
  shop,
}) => {
  const buyer = await signUpBuyer(shop, context);
  await page.goto(`${shop.url}/dashboard?payment_intent=pi_1&payment_intent_client_secret=x&redirect_status=succeeded`);
  const status = page.getByRole('region', { name: 'Payment status' });
  await status.getByText('Checking your payment...').waitFor();
  // Secrets don't stay in the address, and what it says isn't believed.
  await page.waitForURL((url) => !url.search.includes('secret'));
  await expect(page.getByText('You are now subscribed!')).toHaveCount(0);
  await subscribe(shop, buyer);
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.waitForURL(`${shop.url}/dashboard`);
  await status.waitFor({ state: 'detached' });
});

test('a plan is paid with PayPal, which returns to the dashboard', async ({ page, context, shop }) => {
  const buyer = await signUpBuyer(shop, context);
  await page.goto(`${shop.url}/subscribe?plan=pro`);
  await paymentFrame(page).getByLabel('PayPal').check();
  await button(page, 'Pay $7.00').click();
  await page.waitForURL(`${shop.stripe.double.url}/**`);
  await page.getByRole('button', { name: 'Authorize test payment' }).click();
  await page.waitForURL(`${shop.url}/dashboard**`);
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.waitForURL(`${shop.url}/dashboard`);
  expect(await tierOf(shop, buyer.id)).toBe('pro');
  // The address had the client secret.
  expect(shop.product.services.flatMap(({ lines }) => lines).filter((line) => line.includes('_secret_'))).toEqual([]);
  await page.goto(`${shop.url}/account/billing`);
  await region(page, 'Payment method').getByText('PayPal', { exact: true }).waitFor();
  await button(page, 'Update payment method').click();
  await paymentFrame(page).getByLabel('PayPal').check();
  await button(page, 'Save payment method').click();
  await page.getByRole('button', { name: 'Fail test payment' }).click();
  await waitForToast(page, "Couldn't update payment method", "The payment method wasn't confirmed. Try again.");
  await page.waitForURL(`${shop.url}/account/billing`);
});

test('a plan whose payment is being processed has a way on, and is shown when it is active', async ({
  page,
  context,
  shop,
}) => {
  await signUpBuyer(shop, context);
  const plan = { tier: 'pro', interval: 'month', priceId: 'price_pro', price: { amount: 700, currency: 'usd' } };
  const times = { periodStart: '2026-11-01T00:00:00.000Z', periodEnd: '2026-12-01T00:00:00.000Z' };
  const rest = { cancelAt: null, pausedUntil: null, next: null, pending: null, card: null };
  let badge = 'pending';
  await page.route('**/api/billing', async (route) => {
    const response = await route.fetch();
    const subscription = { plan, planVersion: currentPlans.pro.version, badge, ...times, ...rest };
    await route.fulfill({ response, json: { ...(await response.json()), subscription } });
  });
  await page.goto(`${shop.url}/subscribe?plan=pro`);
  await page.getByText('Your payment is being processed.').waitFor();
  const onward = page.getByRole('main').getByRole('link', { name: 'Manage billing' });
  await expect(onward).toHaveAttribute('href', '/account/billing');
  await onward.focus();
  badge = 'active';
  await page.getByRole('heading', { name: 'You have Pro' }).waitFor();
  await expect(page.getByRole('link', { name: 'Go to dashboard' })).toBeFocused();
});

test('a payment that failed elsewhere is shown on the dashboard', async ({ page, context, shop }) => {
  await signUpBuyer(shop, context);
  await page.goto(`${shop.url}/dashboard?setup_intent=seti_1&redirect_status=failed`);
  const status = page.getByRole('region', { name: 'Payment status' });
  await status.getByText('Payment Failed', { exact: true }).waitFor();
  await status.getByText('Your payment was declined. Try another payment method.', { exact: true }).waitFor();
  await expect(status.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
});

test.describe('the purchase page leaves for the pricing page', () => {
  test('without a plan', async ({ page, context, shop }) => {
    await signUpBuyer(shop, context);
    await page.goto(`${shop.url}/subscribe`);
    await waitForToast(page, 'Please select a plan from the pricing page');
    await page.waitForURL(`${shop.url}/pricing`);
  });

  test('for an unknown plan, and stays there for an email address that is not confirmed', async ({
    page,
    context,
    shop,
  }) => {
    const { id } = await signUpBuyer(shop, context);
    await page.goto(`${shop.url}/subscribe?plan=price_unknown`);
    await waitForToast(page, 'Subscription Error', "This plan isn't available. Choose one from the pricing page.");
    await page.waitForURL(`${shop.url}/pricing`);
    await shop.db.updateTable('users').set({ emailVerified: false }).where('id', '=', id).execute();
    await page.goto(`${shop.url}/pricing`);
    await button(page, `Choose ${currentPlans.pro.name}`).click();
    await waitForToast(
      page,
      'Checkout Error',
      'Confirm your email address first. You can request a new link on your account page.',
    );
    await page.route('**/api/create-checkout-session', (route) => route.abort());
    await button(page, `Choose ${currentPlans.pro.name}`).click();
    await waitForToast(page, 'Checkout Error', 'Failed to create checkout session');
  });
});

test("both ways of buying show Stripe's errors, and leave nothing to pay", async ({ page, context, shop }) => {
  const buyer = await signUpBuyer(shop, context);
  const { failures } = shop.stripe.double;
  const sentence = "Our payment provider isn't responding. Try again in a moment. You won't be charged twice.";
  failures.add({ when: 'before', kind: 'error', method: 'POST', path: '/v1/', times: 100 });
  try {
    await page.goto(`${shop.url}/subscribe?plan=pro`);
    await waitForToast(page, 'Subscription Error', sentence);
    await page.waitForURL(`${shop.url}/pricing`);
    await button(page, `Choose ${currentPlans.pro.name}`).click();
    await waitForToast(page, 'Checkout Error', sentence);
  } finally {
    failures.clear();
  }
  expect(await tierOf(shop, buyer.id)).toBe('free');
  const bought = shop.db.selectFrom('subscriptions').innerJoin('billingCustomers', 'stripeId', 'customerId');
  expect(await bought.select('id').where('accountId', '=', buyer.id).execute()).toEqual([]);
  // The same click works once Stripe is back.
  await button(page, `Choose ${currentPlans.pro.name}`).click();
  await page.waitForURL(`${shop.stripe.double.url}/checkout/**`);
});

test('the purchase page leads to the sign-in when the session has ended, and back', async ({ page, context, shop }) => {
  const { id } = await signUpBuyer(shop, context);
  await page.route('**/api/create-subscription', async (route) => {
    await shop.db.deleteFrom('sessions').where('userId', '=', id).execute();
    await route.continue();
  });
  const waitForTitle = await watchFor(page, 'Unauthorized');
  const waitForText = await watchFor(page, 'You are logged out. Logging in again...');
  const [login] = await Promise.all([
    page.waitForRequest((request) => new URL(request.url()).pathname === '/api/login'),
    page.goto(`${shop.url}/subscribe?plan=pro`),
  ]);
  expect(new URL(login.url()).searchParams.get('next')).toBe('/subscribe?plan=pro');
  await waitForTitle();
  await waitForText();
  await page.waitForURL('**/auth?next=**');
});

test("the form offers Stripe's page where Stripe.js can't be loaded", async ({ page, context, shop }) => {
  await signUpBuyer(shop, context);
  await page.route('**/stripe.js', (route) => route.abort());
  await page.goto(`${shop.url}/subscribe?plan=pro`);
  await page.getByText("The payment form couldn't be loaded. Your browser or network may block it.").waitFor();
  await button(page, "Pay on our payment provider's page").click();
  await page.waitForURL(`${shop.stripe.double.url}/checkout/**`);
});

test("Stripe's code loads on two pages only", async ({ page, context, shop }) => {
  const buyer = await signUpBuyer(shop, context);
  await subscribe(shop, buyer);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const findStripe = () => requests.filter((url) => url.startsWith(shop.stripe.double.url));
  for (const path of ['/', '/pricing', '/dashboard', '/account']) {
    await page.goto(shop.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  }
  expect(findStripe()).toEqual([]);
  // The link loads the page of the server, which alone allows the code.
  const [document] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === '/account/billing'),
    page.getByRole('link', { name: 'Billing', exact: true }).click(),
  ]);
  expect(document.headers()['content-security-policy']).toContain(shop.stripe.double.url);
  await button(page, 'Update payment method').click();
  await paymentFrame(page).getByLabel('Card number').waitFor();
  expect(findStripe()).not.toEqual([]);
  expect(await page.evaluate(() => 'Stripe' in window)).toBe(true);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.waitForFunction(() => window.location.pathname === '/dashboard' && !('Stripe' in window));
});
