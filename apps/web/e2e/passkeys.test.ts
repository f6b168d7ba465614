import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { waitForMail } from '@uprez/testing/mail';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';

const email = `${randomUUID()}@example.test`;
const password = 'a longer battery staple';

test('a passkey is added, signs in, and is renamed and deleted', async ({ site, browser }) => {
  // Passkeys are bound to a host name, so an IP address has none.
  const baseURL = site.url.replace('127.0.0.1', 'localhost');
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, baseURL });
  const page = await context.newPage();
  const { id } = await (
    await page.request.post('/api/register', { data: { email, password, firstName: 'Grace' } })
  ).json();
  await site.db.updateTable('users').set({ emailVerified: true }).where('id', '=', id).execute();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const section = () => page.getByRole('region', { name: 'Passkeys', exact: true });
  const row = (name: string) => section().getByRole('listitem').filter({ hasText: name });
  const add = async (name: string) => {
    await section().getByRole('button', { name: 'Add passkey' }).click();
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('Passkey name').fill(name);
    await section().getByRole('button', { name: 'Add passkey' }).click();
  };

  await test.step('adds a passkey with the password and a name', async () => {
    await page.goto('/account#passkeys');
    await section().getByRole('button', { name: 'Add passkey' }).click();
    expect(await findViolations(page)).toEqual([]);
    await expect(page.getByLabel('Passkey name')).toHaveValue(/ on /);
    await section().getByRole('button', { name: 'Cancel' }).click();
    await add('My laptop');
    await row('My laptop').getByText('Never used').waitFor();
    await page.getByText('Passkey added', { exact: true }).first().waitFor();
    await waitForMail(site.mailUrl, email, 'A passkey was added to your Uprez account');
    expect(await findViolations(page)).toEqual([]);
  });

  await test.step('says when the device has a passkey for the account already', async () => {
    await add('Again');
    await section().getByText('This device already has a passkey for your account.').waitFor();
    await section().getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('signs in with the passkey, without password and code', async () => {
    await context.clearCookies();
    await page.goto('/auth?next=/account');
    await button('Use a passkey').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button('Use a passkey').click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await row('My laptop').getByText('Last used').waitFor();
    await waitForMail(site.mailUrl, email, 'New sign-in to your Uprez account');
  });

  await test.step('renames and deletes a passkey, which signs in no longer', async () => {
    await button('Actions for My laptop').click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const name = page.getByRole('dialog', { name: 'Rename passkey "My laptop"' }).getByLabel('Passkey name');
    await expect(name).toBeFocused();
    await page.keyboard.type('Old laptop');
    await button('Save').click();
    await row('Old laptop').waitFor();
    await button('Actions for Old laptop').click();
    await page.getByRole('menuitem', { name: 'Delete passkey' }).click();
    await page
      .getByRole('alertdialog', { name: 'Delete passkey "Old laptop"?' })
      .getByRole('button', { name: 'Delete passkey' })
      .click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Current password').fill(password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await row('Old laptop').waitFor({ state: 'detached' });
    await page.getByText('Passkey deleted', { exact: true }).first().waitFor();
    await context.clearCookies();
    await page.goto('/auth');
    await button('Use a passkey').click();
    await page.getByText("This passkey couldn't be verified. Try again, or use your password.").first().waitFor();
    await button('Use a passkey').waitFor();
  });
  await context.close();
});
