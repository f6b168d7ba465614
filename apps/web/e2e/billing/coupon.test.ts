import { expect } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { button, fillCard, region, signUpBuyer, tierOf } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

test('a code of a link is kept through the sign-in, replaced in the order, and leaves nothing to pay', async ({
  page,
  context,
  shop,
}) => {
  const { code } = await makeSyncedCoupon({ db: shop.db, payments: shop.stripe.payments }, { percent: 100 });
  await page.goto(`${shop.url}/pricing?coupon=${code}`);
  await page.getByText(`${code}: 100% off one bill`).waitFor();
  expect(await findViolations(page)).toEqual([]);
  const buyer = await signUpBuyer(shop, context);
  await page.getByRole('link', { name: `Choose ${currentPlans.pro.name}`, exact: true }).click();
  await page.waitForURL(`${shop.url}/subscribe?plan=pro&coupon=${code}`);
  await button(page, 'Start subscription').waitFor();
  await button(page, 'Remove code').click();
  await button(page, 'Pay $7.00').waitFor();
  await page.getByLabel('Promo code').fill('NO-SUCH-CODE');
  await button(page, 'Apply').click();
  await page.getByText("This code doesn't exist. Check its spelling.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Promo code').fill(code);
  await button(page, 'Apply').click();
  await region(page, 'Order summary').getByText('-$7.00', { exact: true }).waitFor();
  await fillCard(page, '4242424242424242');
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Start subscription').click();
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.waitForURL(`${shop.url}/dashboard`);
  expect(await tierOf(shop, buyer.id)).toBe('pro');
});
