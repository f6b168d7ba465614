import { expect } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { button, fillCard, region, signUpBuyer, tierOf } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

test('a code of a link is kept through the sign-in, and replaced in the order', async ({ page, context, shop }) => {
  const { code, id } = await makeSyncedCoupon({ db: shop.db, payments: shop.stripe.payments }, { amount: 200 });
  await page.goto(`${shop.url}/pricing?coupon=${code}`);
  await page.getByText(`${code}: $2.00 off one bill`).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await signUpBuyer(shop, context);
  await page.getByRole('link', { name: `Choose ${currentPlans.pro.name}`, exact: true }).click();
  await page.waitForURL(`${shop.url}/subscribe?plan=pro&coupon=${code}`);
  await button(page, 'Pay $5.00').waitFor();
  await button(page, 'Remove code').click();
  await button(page, 'Pay $7.00').waitFor();
  await button(page, 'Add a promo code').click();
  await page.getByLabel('Promo code').fill('NO-SUCH-CODE');
  await button(page, 'Apply').click();
  await page.getByText("This code doesn't exist. Check its spelling.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Promo code').fill(code);
  await button(page, 'Apply').click();
  await button(page, 'Pay $5.00').waitFor();
  expect(await findViolations(page)).toEqual([]);
  const coupon = shop.db.selectFrom('coupons').select('uses').where('id', '=', id);
  expect(await coupon.executeTakeFirst()).toEqual({ uses: 1 });
});

test('a code for 100% leaves nothing to pay, and the card is kept for the next bill', async ({
  page,
  context,
  shop,
}) => {
  const { code, id } = await makeSyncedCoupon({ db: shop.db, payments: shop.stripe.payments }, { percent: 100 });
  const buyer = await signUpBuyer(shop, context);
  await page.goto(`${shop.url}/subscribe?plan=pro&coupon=${code}`);
  const order = region(page, 'Order summary');
  await order.getByText('-$7.00', { exact: true }).waitFor();
  await expect(order.locator('dl > div').filter({ hasText: 'Due today' })).toContainText('$0.00');
  await order.getByText(/^\$7\.00 on /).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await fillCard(page, '4242424242424242');
  await button(page, 'Start subscription').click();
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.waitForURL(`${shop.url}/dashboard`);
  expect(await tierOf(shop, buyer.id)).toBe('pro');
  const uses = shop.db.selectFrom('couponRedemptions').select('redeemedAt').where('couponId', '=', id);
  expect(await uses.execute()).toEqual([{ redeemedAt: expect.any(Date) }]);
  const paid = shop.db
    .selectFrom('payments')
    .innerJoin('billingCustomers', 'stripeId', 'customerId')
    .select('id')
    .where('accountId', '=', buyer.id);
  expect(await paid.execute()).toEqual([]);
  await page.goto(`${shop.url}/account/billing`);
  await region(page, 'Payment method').getByText('Visa ending in 4242').waitFor();
  await region(page, 'Your plan')
    .getByText(/^\$7\.00 on /)
    .waitFor();
});
