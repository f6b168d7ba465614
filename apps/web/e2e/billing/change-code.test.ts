import { expect, type Page } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { signUpBuyer, subscribe } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

const names = { pro: currentPlans.pro.name, basic: currentPlans.api_basic.name };
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** Characters that a page of this width can't show. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test('a change is made with a code by keyboard on a narrow screen, at the price that it shows', async ({
  page,
  context,
  shop,
}) => {
  const coupon = await makeSyncedCoupon({ db: shop.db, payments: shop.stripe.payments }, { percent: 50, maxUses: 1 });
  const buyer = await signUpBuyer(shop, context);
  await subscribe(shop, buyer);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${shop.url}/account/billing?plan=api_basic`);
  const full = button(page, /^Pay \$12(\.\d\d)? and change plan$/);
  await full.waitFor();
  await button(page, 'Add a promo code').press('Enter');
  const field = page.getByLabel('Promo code');
  await expect(field).toBeFocused();
  await page.keyboard.type('NO-SUCH-CODE');
  await page.keyboard.press('Enter');
  await page.getByText("This code doesn't exist. Check its spelling.").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await field.fill(coupon.code.toLowerCase());
  await field.press('Enter');
  const applied = page.getByRole('status').filter({ hasText: `${coupon.code}: 50% off one bill` });
  await expect(applied).toBeFocused();
  const half = button(page, /^Pay \$2\.5\d and change plan$/);
  await half.waitFor();
  const bill = page.getByLabel('Bill');
  await bill.getByText('Discount').waitFor();
  await bill.getByText(/^\$19\.00 on /).waitFor();
  expect(await overflow(page)).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Remove code').press('Enter');
  await full.waitFor();
  await expect(field).toBeFocused();
  await field.fill(coupon.code);
  await field.press('Enter');
  await half.press('Enter');
  await waitForToast(page, `You now have the ${names.basic} plan`);
  await page.waitForURL(`${shop.url}/account/billing`);
  const uses = shop.db.selectFrom('couponRedemptions').select('redeemedAt').where('couponId', '=', coupon.id);
  expect(await uses.execute()).toEqual([{ redeemedAt: expect.any(Date) }]);
});
