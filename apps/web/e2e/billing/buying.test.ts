import { expect } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
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
  // Where Stripe.js can't be loaded, the form leads to the same page.
  await page.route('**/stripe.js', (route) => route.abort());
  await page.goto(`${shop.url}/subscribe?plan=pro`);
  await page.getByText("The payment form couldn't be loaded. Your browser or network may block it.").waitFor();
  await button(page, "Pay on our payment provider's page").click();
  await page.waitForURL(`${shop.stripe.double.url}/checkout/**`);
  await page.unrouteAll();
  await page.goto(`${shop.url}/pricing`);
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
