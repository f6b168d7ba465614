import { expect } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { makeCoupon, makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { button, fillCard, region, signUpBuyer, tierOf } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

test('a code is applied in the order, removed, and named when it is unknown', async ({ page, context, shop }) => {
  const { code } = await makeSyncedCoupon({ db: shop.db, payments: shop.stripe.payments }, { percent: 50 });
  await signUpBuyer(shop, context);
  await page.goto(`${shop.url}/subscribe?plan=pro`);
  await button(page, 'Pay $7.00').waitFor();
  await button(page, 'Add a promo code').click();
  await page.getByLabel('Promo code').fill('NO-SUCH-CODE');
  await button(page, 'Apply').click();
  await page.getByText("This code doesn't exist. Check its spelling.").waitFor();
  await expect(page.getByLabel('Promo code')).toHaveValue('NO-SUCH-CODE');
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Promo code').fill(code.toLowerCase());
  await button(page, 'Apply').click();
  await page.getByText(`${code}: 50% off one bill`).waitFor();
  await button(page, 'Pay $3.50').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Remove code').click();
  await button(page, 'Pay $7.00').waitFor();
});

test('a code that cannot be used is named and kept in its field, and the order stays as it was', async ({
  page,
  context,
  shop,
}) => {
  await signUpBuyer(shop, context);
  await page.goto(`${shop.url}/subscribe?plan=pro`);
  await button(page, 'Add a promo code').click();
  const field = page.getByLabel('Promo code');
  const codes: [change: Parameters<typeof makeCoupon>[1], sentence: string][] = [
    [{ expiresAt: new Date(0) }, 'This code has expired. Remove it or enter another code.'],
    [{ maxUses: 1, uses: 1 }, 'This code has reached its usage limit. Remove it to continue.'],
    [{ disabledAt: new Date() }, 'This code is no longer valid. Remove it or enter another code.'],
    [{ tiers: ['api_pro'] }, "This code isn't valid for this plan. Remove it, or choose another plan."],
  ];
  for (const [change, sentence] of codes) {
    const { code } = await makeCoupon(shop.db, change);
    await field.fill(code);
    await button(page, 'Apply').click();
    await page.getByText(sentence, { exact: true }).waitFor();
    await expect(field).toHaveValue(code);
    await button(page, 'Pay $7.00').waitFor();
  }
  await field.fill('');
  await button(page, 'Apply').click();
  await page.getByText('Enter a code.', { exact: true }).waitFor();
  // A typed code is nothing to lose.
  await field.fill('NOT-SENT');
  await page.getByRole('link', { name: 'Pricing', exact: true }).first().click();
  await page.waitForURL(`${shop.url}/pricing`);
  // Until the page is shown, the router may still change the history, which would cancel the next navigation.
  await page.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  // The code of a link is removed, and the plan can be bought without it.
  const { code } = await makeCoupon(shop.db, { expiresAt: new Date(0) });
  await page.goto(`${shop.url}/subscribe?plan=pro&coupon=${code}`);
  await waitForToast(page, 'Promo code not applied', 'This code has expired. Remove it or enter another code.');
  await button(page, 'Pay $7.00').waitFor();
  expect(new URL(page.url()).search).toBe('?plan=pro');
});

test('a code of a link is shown on the pricing page, kept through the sign-in, and used', async ({
  page,
  context,
  shop,
}) => {
  const { code, id } = await makeSyncedCoupon({ db: shop.db, payments: shop.stripe.payments }, { amount: 200 });
  await page.goto(`${shop.url}/pricing?coupon=${code}`);
  await page.getByText(`${code}: $2.00 off one bill`).waitFor();
  expect(await findViolations(page)).toEqual([]);
  const link = page.getByRole('link', { name: `Choose ${currentPlans.pro.name}`, exact: true });
  await expect(link).toHaveAttribute(
    'href',
    `/auth?tab=sign-up&next=${encodeURIComponent(`/subscribe?plan=pro&coupon=${code}`)}`,
  );
  await signUpBuyer(shop, context);
  await link.click();
  await page.waitForURL(`${shop.url}/subscribe?plan=pro&coupon=${code}`);
  await button(page, 'Pay $5.00').waitFor();
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
