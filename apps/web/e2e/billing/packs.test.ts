import { expect } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { button, signUpBuyer } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

test('an administrator sets a yearly price and a pack, and a user sees both and buys the pack', async ({
  page: admin,
  context,
  browser,
  shop,
}) => {
  test.slow();
  const { id } = await signUpBuyer(shop, context);
  await shop.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
  await admin.goto(`${shop.url}/admin/payments`);
  await admin.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Prices' }).click();
  await admin.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();

  await admin.getByLabel('Pro, per year', { exact: true }).fill('0.10');
  await button(admin, 'Save prices').click();
  await admin.getByText('Enter an amount from $0.50 to $100,000.').waitFor();
  await admin.getByLabel('Pro, per year', { exact: true }).fill('69.50');
  await button(admin, 'Save prices').click();
  const question = admin.getByRole('alertdialog', { name: 'Save these prices?' });
  await question.getByText('Pro: $69.50 per year').waitFor();
  expect(await findViolations(admin)).toEqual([]);
  await question.getByRole('button', { name: 'Save prices' }).click();
  await waitForToast(admin, 'Prices saved');
  await question.waitFor({ state: 'detached' });

  await button(admin, 'Add pack').click();
  const dialog = admin.getByRole('dialog', { name: 'Add pack' });
  await dialog.getByLabel('Number of images').fill('50');
  await button(admin, 'Save pack').click();
  await dialog.getByText('Enter an amount from $0.50 to $100,000.').waitFor();
  await dialog.getByLabel('Price (USD)').fill('9');
  expect(await findViolations(admin)).toEqual([]);
  await button(admin, 'Save pack').click();
  await dialog.waitFor({ state: 'detached' });
  const sold = admin.getByRole('list', { name: 'Packs', exact: true });
  await sold.getByText('On sale', { exact: true }).waitFor();
  await admin.getByText(/^Synced with Stripe\./).waitFor();
  const audit = shop.db.selectFrom('audits').select('action').where('action', '=', 'settings.billing');
  expect(await audit.execute()).toHaveLength(2);
  await checkScreens(admin, `${shop.url}/admin/payments/prices`, () =>
    sold.getByText('On sale', { exact: true }).waitFor(),
  );

  const buyerContext = await browser.newContext();
  const page = await buyerContext.newPage();
  await page.goto(`${shop.url}/pricing`);
  const signIn = page.getByRole('link', { name: 'Buy pack: 50 images' });
  const signInUrl = new URL((await signIn.getAttribute('href')) ?? '', shop.url);
  expect(signInUrl.searchParams.get('next')).toMatch(/^\/pricing\?pack=\w+#packs$/);
  const buyer = await signUpBuyer(shop, buyerContext);
  const buy = button(page, 'Buy pack: 50 images');
  // Through the sign-in, which leads back at once, to the pack that was chosen.
  await signIn.click();
  await expect(buy).toBeFocused();
  await expect(buy).toBeInViewport();
  await checkScreens(page, `${shop.url}/pricing`, () => buy.waitFor());
  await page.getByText('Pay with cards or PayPal.', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Yearly' }).check();
  await page.getByRole('listitem', { name: 'Pro', exact: true }).getByText('$69.50').waitFor();
  await page
    .getByText('Get a full refund if you cancel your first yearly plan within 30 days', { exact: false })
    .waitFor();

  // A used-up quota offers packs.
  await page.goto(`${shop.url}/dashboard`);
  // The units of the month are given when the dashboard is first read.
  const used = shop.db
    .updateTable('allowances')
    .set({ unitsLeft: 0 })
    .where('accountId', '=', buyer.id)
    .returning('id');
  await expect.poll(async () => (await used.execute()).length).toBeGreaterThan(0);
  await page.reload();
  const offer = page.getByRole('link', { name: 'Buy a pack' }).first();
  await expect(offer).toHaveAttribute('href', '/pricing#packs');

  await page.goto(`${shop.url}/account/billing`);
  await buy.click();
  await page.waitForURL(`${shop.stripe.double.url}/checkout/**`);
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByRole('button', { name: /\$9/ }).click();
  await page.waitForURL(`${shop.url}/dashboard**`);
  await waitForToast(page, 'Payment Successful', '50 images added to your account.');
  await page.waitForURL(`${shop.url}/dashboard`);
  const packs = shop.db.selectFrom('allowances').select(['units', 'unitsLeft', 'meter']).where('source', '=', 'pack');
  expect(await packs.where('accountId', '=', buyer.id).execute()).toEqual([
    { units: 50, unitsLeft: 50, meter: 'shared' },
  ]);
  await checkScreens(page, `${shop.url}/account/billing`, () => page.getByText('50 of 50 left').waitFor());

  await page.goto(`${shop.url}/pricing`);
  await page.getByRole('radio', { name: 'Yearly' }).check();
  await button(page, 'Choose Pro').click();
  await page.waitForURL(`${shop.stripe.double.url}/checkout/**`);
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByRole('button', { name: /\$69\.50/ }).click();
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  await page.goto(`${shop.url}/account/billing`);
  await page.getByText(/^You can cancel with a full refund until /).waitFor();
  await expect(button(page, 'Pause plan')).toHaveAccessibleDescription('Only monthly plans can be paused.');
  await button(page, 'Cancel plan').click();
  const leave = page.getByRole('dialog');
  await expect(leave.getByRole('radio', { name: 'Cancel now with a full refund of $69.50' })).toBeChecked();
  expect(await findViolations(page)).toEqual([]);
  await leave.getByRole('button', { name: 'Cancel plan and refund $69.50' }).click();
  await waitForToast(page, 'Your plan has ended');
  await page.getByText('$69.50 refunded').waitFor();
  await page.getByText("You don't have a subscription.").waitFor();
  await buyerContext.close();

  await button(admin, 'Actions for 50 images').click();
  await admin.getByRole('menuitem', { name: 'Remove pack' }).click();
  const removal = admin.getByRole('alertdialog', { name: 'Remove the pack of 50 images?' });
  await removal.getByRole('button', { name: 'Remove pack' }).click();
  await admin.getByText('No packs yet', { exact: true }).waitFor();
  await admin.getByText(/^Synced with Stripe\./).waitFor();
});
