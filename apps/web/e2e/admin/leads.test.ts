import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { waitForMail } from '@uprez/testing/mail';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { fillCard, signUpBuyer } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const { name: planName } = currentPlans.enterprise;

test('an administrator sends a checkout link, and its recipient buys Enterprise', async ({
  page: admin,
  context,
  browser,
  shop,
}) => {
  test.slow();
  const { id } = await signUpBuyer(shop, context);
  await shop.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
  const buyerContext = await browser.newContext();
  const page = await buyerContext.newPage();
  const buyer = await signUpBuyer(shop, buyerContext);
  await page.goto(`${shop.url}/pricing`);
  const card = page.getByRole('listitem', { name: planName, exact: true });
  await card.getByRole('link', { name: 'Contact sales' }).waitFor();
  const message = `We need more.\nSee ${randomUUID()}.`;
  await buyer.post('/api/leads', { name: '<b>Ada</b> Lovelace', email: buyer.email, company: 'Engine Ltd.', message });

  await admin.goto(`${shop.url}/admin/payments`);
  await admin.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Enterprise leads' }).click();
  await admin.getByRole('heading', { level: 1, name: 'Enterprise leads' }).waitFor();
  // The rows that the search replaces close an open menu.
  const found = admin.waitForResponse((response) =>
    response.url().includes(`search=${encodeURIComponent(buyer.email)}`),
  );
  await admin.getByLabel('Search by name, email, or company').fill(buyer.email);
  await found;
  await admin.getByText('1 of 1', { exact: true }).waitFor();
  await button(admin, `Actions for ${buyer.email}`).click();
  await admin.getByRole('menuitem', { name: 'Send checkout link' }).click();
  const dialog = admin.getByRole('dialog', { name: `Send checkout link to ${buyer.email}` });
  await dialog.getByText('We need more.').waitFor();
  expect(await findViolations(admin)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await waitForToast(admin, 'Checkout link sent');
  await admin.getByText('Link sent', { exact: true }).first().waitFor();
  await button(admin, 'Send link to an email address').click();
  const typed = admin.getByRole('dialog', { name: 'Send checkout link' });
  await typed.getByLabel('Email').fill(buyer.email);
  await typed.getByRole('button', { name: 'Send link' }).click();
  await typed.getByText('A link was sent to this email address less than a minute ago. Try again later.').waitFor();
  await checkScreens(admin, `${shop.url}/admin/payments/leads`, () =>
    admin.getByText('<b>Ada</b> Lovelace', { exact: true }).first().waitFor(),
  );

  const { text } = await waitForMail(shop.mailUrl, buyer.email, `Subscribe to `);
  const [link = ''] = /https?:\/\/\S+\/auth\?next=\S+/.exec(text) ?? [];
  // Without the account of the email address, the plan can't be bought.
  await admin.goto(link);
  await waitForToast(admin, 'Subscription Error', "This plan isn't available. Choose one from the pricing page.");
  await admin.waitForURL(`${shop.url}/pricing`);
  await page.goto(link);
  await page.waitForURL(`${shop.url}/subscribe?plan=enterprise&interval=month`);
  await page.getByText(`${planName} plan`, { exact: true }).waitFor();
  await fillCard(page, '4242424242424242');
  await button(page, 'Pay $149.00').click();
  await page.waitForURL(`${shop.url}/dashboard**`);
  await waitForToast(page, 'Payment Successful', 'You are now subscribed!');
  const bought = shop.db.selectFrom('users').select('tier').where('id', '=', buyer.id);
  expect(await bought.executeTakeFirst()).toEqual({ tier: 'enterprise' });
  await buyerContext.close();
});
