import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import { findMailLink, waitForMail } from '@uprez/testing/mail';
import { corruptPng, makeImage } from '@uprez/testing/make-image';
import { test } from '../support/fixtures.ts';
import { type Buyer, button, type Shop, signUpBuyer } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

/** Signs up a user and uploads an image with a valid header, so the job fails while decoding. */
async function signUpWithFailedJob(shop: Shop, browser: Browser): Promise<Buyer> {
  const context = await browser.newContext();
  const user = await signUpBuyer(shop, context);
  const buffer = corruptPng(await makeImage({ width: 300, height: 200, format: 'png', seed: 4 }));
  const multipart = { image: { name: 'poster.png', mimeType: 'image/png', buffer }, engine: 'standard' };
  const headers = { origin: shop.url, prefer: 'respond-async' };
  const response = await context.request.post(`${shop.url}/api/images/process`, { multipart, headers });
  expect(response.status(), await response.text()).toBe(202);
  await context.close();
  return user;
}

/** Accepts the invitation in an email, in a browser of its own. */
async function acceptInvitation(shop: Shop, browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: shop.url })).newPage();
  await page.goto(findMailLink(await waitForMail(shop.mailUrl, email, "You're invited to the")).href);
  await page.getByLabel('Password', { exact: true }).fill('six feet under');
  await page.getByRole('checkbox').check();
  await page.getByLabel('First Name').fill('Sam');
  await button(page, 'Create account').click();
  await page.waitForURL('**/admin');
  return page;
}

test('an owner invites support, who retries the failed job of a user and grants credits', async ({
  context,
  browser,
  shop,
}) => {
  test.slow();
  const worker = shop.product.spawn('worker');
  const owner = await signUpBuyer(shop, context);
  await shop.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.id).execute();
  const page = await context.newPage();
  await page.goto(`${shop.url}/admin`);
  await page.getByRole('link', { name: 'Add User' }).first().click();
  const email = `${randomUUID()}@example.test`;
  await page.getByRole('heading', { level: 1, name: 'Add New User' }).waitFor();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Support' }).click();
  await page.getByLabel('Reason').fill('hired');
  await button(page, 'Send invitation').click();
  await page.getByLabel('Current password').fill('six feet under');
  await button(page, 'Confirm').click();
  await waitForToast(page, 'Invitation sent');

  const support = await acceptInvitation(shop, browser, email);
  await (await worker).ready();
  const user = await signUpWithFailedJob(shop, browser);
  const jobs = shop.db.selectFrom('jobs').select('status').where('accountId', '=', user.id);
  const statuses = async () => (await jobs.execute()).map(({ status }) => status);
  await expect.poll(statuses).toEqual(['failed']);

  const sidebar = support.getByRole('navigation', { name: 'Admin Panel' });
  await sidebar.getByRole('link', { name: 'Users', exact: true }).click();
  await support.getByRole('searchbox').fill(user.email);
  await support.getByRole('row').filter({ hasText: user.email }).getByRole('link').first().click();
  await support.getByRole('tab', { name: 'Jobs' }).click();
  await support.getByRole('link', { name: 'poster.png' }).click();
  await button(support, 'Retry').click();
  await support.getByLabel('Reason').fill('the user asked');
  await button(support, 'Retry job').click();
  await waitForToast(support, 'Retry queued');
  await expect.poll(async () => (await statuses()).length).toBe(2);

  await support.goto(`/admin/users/${user.id}`);
  await button(support, 'Actions').click();
  await expect(support.getByRole('menuitem')).toHaveText(['Grant credits']);
  await support.getByRole('menuitem', { name: 'Grant credits' }).click();
  await support.getByLabel('Credits', { exact: true }).fill('5');
  await support.getByLabel('Reason').fill('Sorry for the failed image');
  await support.getByRole('dialog').getByRole('button', { name: 'Grant credits' }).click();
  await waitForToast(support, '5 AI images granted');

  const links = await sidebar.getByRole('link').allTextContents();
  expect(links).not.toContain('General Settings');
  for (const path of ['/admin/settings', '/admin/security/permissions', '/admin/audit', '/admin/users/new']) {
    await support.goto(path);
    await support.getByRole('heading', { name: 'Access Denied' }).waitFor();
  }
  await support.context().close();
});
