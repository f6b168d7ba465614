import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { findMailLink, waitForMail } from '@uprez/testing/mail';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { signUpBuyer } from '../support/shop.ts';

test('an invited administrator sets a password and signs in, once', async ({ context, browser, shop }) => {
  test.slow();
  const owner = await signUpBuyer(shop, context);
  await shop.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.id).execute();
  await shop.db.updateTable('sessions').set({ steppedUpAt: new Date() }).where('userId', '=', owner.id).execute();
  const email = `${randomUUID()}@example.test`;
  await owner.post('/api/admin/invitations', { email, role: 'viewer', reason: 'hired' });
  const link = findMailLink(await waitForMail(shop.mailUrl, email, "You're invited to the")).href;

  const guest = await browser.newContext();
  const page = await guest.newPage();
  const password = () => page.getByLabel('Password', { exact: true });
  await checkScreens(page, link, () => password().waitFor());
  await page.getByText(`Choose a password to create the account ${email} as a viewer.`).waitFor();
  await password().fill('six feet under');
  await page.getByRole('checkbox').check();
  await page.getByLabel('First Name').fill('Grace');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(`${shop.url}/admin**`);
  await page.getByRole('heading', { level: 1, name: 'Dashboard', exact: true }).waitFor();
  // A viewer reads payments, and no inquiries.
  await page.goto(`${shop.url}/admin/payments/leads`);
  await page
    .getByText("Your role, Viewer, doesn't include this page. Ask an owner for access.", { exact: true })
    .waitFor();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Invitation not valid' }).waitFor();
  const created = shop.db.selectFrom('users').select(['role', 'emailVerified', 'firstName']).where('email', '=', email);
  expect(await created.execute()).toEqual([{ role: 'viewer', emailVerified: true, firstName: 'Grace' }]);
  await guest.close();
});
