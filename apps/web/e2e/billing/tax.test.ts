import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { fillCard, type Shop, signUpBuyer } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const setRate = async ({ stripe }: Shop, ratePercent: number) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ratePercent });
  expect((await fetch(`${stripe.double.url}/_control/tax`, { method: 'POST', headers, body })).ok).toBe(true);
};

test('an administrator turns tax on, and a buyer enters an address and pays a bill with tax', async ({
  page: admin,
  context,
  browser,
  shop,
}) => {
  test.slow();
  await setRate(shop, 10);
  const { id } = await signUpBuyer(shop, context);
  await shop.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
  await admin.goto(`${shop.url}/admin/payments/prices`);
  const collect = admin.getByRole('switch', { name: 'Collect tax' });
  await collect.click();
  const question = admin.getByRole('alertdialog', { name: 'Collect tax?' });
  await question.getByText('Stripe Tax must be active in your Stripe account.').waitFor();
  expect(await findViolations(admin)).toEqual([]);
  await question.getByRole('button', { name: 'Collect tax' }).click();
  await waitForToast(admin, 'Tax settings saved');
  await question.waitFor({ state: 'detached' });
  await expect(collect).toBeChecked();
  await checkScreens(admin, `${shop.url}/admin/payments/prices`, () => collect.waitFor());

  const buyerContext = await browser.newContext({ locale: 'de-DE' });
  const page = await buyerContext.newPage();
  const buyer = await signUpBuyer(shop, buyerContext);
  // The gateway caches plans for a few seconds.
  await expect(async () => {
    await page.goto(`${shop.url}/pricing`);
    await expect(page.getByText('Prices exclude tax.')).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const url = `${shop.url}/subscribe?plan=pro`;
  await page.goto(url);
  const country = page.getByLabel('Country or region');
  await expect(country).toHaveValue('DE');
  await country.selectOption({ label: 'United States' });
  await button(page, 'Continue').click();
  await page.getByText('Enter your postal code.').waitFor();
  const postalCode = page.getByLabel('Postal code');
  await expect(postalCode).toBeFocused();
  await postalCode.fill('W1A 1AA');
  await button(page, 'Continue').click();
  await page
    .getByRole('alert')
    .getByText("We couldn't use this billing address. Check the country and the postal code.")
    .waitFor();
  await expect(postalCode).toHaveValue('W1A 1AA');
  await checkScreens(page, url, () => postalCode.waitFor());
  await country.selectOption('US');
  await postalCode.fill('94080');
  await page.getByLabel(/^Company/).fill('Acme Inc.');
  await page.getByLabel(/^Tax ID/).fill('12-3456789');
  await button(page, 'Continue').click();

  const bill = page.getByRole('region', { name: 'Order summary' });
  await expect(bill.locator('dl > div')).toHaveText([
    /Pro.*\$7\.00$/,
    'Tax$0.70',
    'Due today$7.70',
    /^Next bill\$7\.70 on /,
  ]);
  await bill.getByText('Tax for United States, 94080').waitFor();
  await button(page, 'Change address').click();
  await expect(postalCode).toHaveValue('94080');
  await expect(page.getByLabel(/^Company/)).toHaveValue('Acme Inc.');
  await button(page, 'Back').click();
  await button(page, 'Change address').click();
  await button(page, 'Continue').click();
  expect(await findViolations(page)).toEqual([]);
  await fillCard(page, '4242424242424242');
  await button(page, 'Pay $7.70').click();
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.waitForURL(`${shop.url}/dashboard`);

  await page.goto(`${shop.url}/account/billing`);
  const invoices = page.getByRole('table', { name: 'Invoices, newest first' });
  await expect(invoices.getByRole('row').filter({ hasText: 'Pro plan, monthly' })).toContainText('$7.70');
  await invoices.getByText('Subtotal $7.00, tax $0.70', { exact: true }).waitFor();
  await checkScreens(page, `${shop.url}/account/billing`, () => invoices.waitFor());
  await buyerContext.close();

  await admin.goto(`${shop.url}/admin/payments/transactions?search=${buyer.email}`);
  await admin.getByText('includes $0.70 tax', { exact: true }).waitFor();
  await admin.goto(`${shop.url}/admin/payments/prices`);
  await collect.click();
  await button(admin, 'Stop collecting tax').click();
  await expect(collect).not.toBeChecked();
});
