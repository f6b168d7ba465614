import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Role } from '@uprez/contracts/policy/permissions';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { insertJob } from '../support/insert-job.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';

const [ada, mary] = ['ada@example.test', 'mary@example.test'] as const;
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);

test.describe('administration of users', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  const ids: Record<string, string> = {};

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    for (const email of [ada, mary]) {
      const other = await (await browser.newContext()).newPage();
      await admin.signUp(other, email);
      await other.context().close();
    }
    const { db } = admin.world;
    for (const { id, email } of await db.selectFrom('users').select(['id', 'email']).execute()) ids[email] = id;
    await update(ada, { firstName: '<b>Ada</b>', lastName: 'Lovelace', twoFactorAt: new Date() });
    await update(mary, { firstName: 'Mary', lastName: 'Shelley' });
    await insertJob(db, { accountId: idOf(ada), filename: 'cat.png', errorCode: 'corrupt_image' });
    await insertJob(db, { accountId: idOf(ada), filename: 'dog.png' });
    const key = { name: 'CI', kind: 'live', preview: 'upz_live_abcd...wxyz', scopes: ['process'] } as const;
    await db
      .insertInto('apiKeys')
      .values({ id: randomUUID(), accountId: idOf(ada), secretHash: Buffer.alloc(32, 1), ...key, scopes: ['process'] })
      .execute();
  });
  test.afterAll(() => admin?.close());

  const idOf = (email: string) => ids[email] ?? '';
  const update = (email: string, values: Record<string, unknown>) =>
    admin.world.db.updateTable('users').set(values).where('email', '=', email).execute();
  const setRole = (role: Role) => update(admin.email, { role });
  const forgetProof = () => admin.world.db.updateTable('sessions').set({ steppedUpAt: null }).execute();
  const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const waitForRows = async (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const toast = (text: string) => page.getByText(text, { exact: true }).first();
  const openUser = async (email: string, tab = '') => {
    await page.goto(`/admin/users/${idOf(email)}${tab && `?tab=${tab}`}`);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
  };
  const act = async (action: string) => {
    await button('Actions').click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const prove = async () => {
    const proof = dialog("Confirm it's you");
    await proof.getByLabel('Current password').fill(password);
    await button('Confirm', proof).click();
  };

  test('lists users, with filters, and opens one by click and by Enter', async () => {
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('link', { name: 'Users', exact: true }).click();
    await heading('Users').waitFor();
    await expect(sidebar.locator('[aria-current="page"]')).toHaveText(['Users']);
    await admin.row(mary).waitFor();
    await checkScreens(page, `${admin.product.url}/admin/users`, () => admin.row(mary).waitFor());
    await page.goto('/admin/users?search=example.test');
    await waitForRows(3);
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await waitForRows(1);
    expect(new URL(page.url()).search).toBe('?search=example.test&role=owner');
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Viewer' }).click();
    await button('Clear filters').click();
    await admin.row(mary).waitFor();
    await page.getByRole('searchbox', { name: 'Search by name, email, or ID' }).fill(idOf(mary));
    await waitForRows(1);
    await admin
      .row('Mary Shelley')
      .locator('td')
      .last()
      .click({ position: { x: 1, y: 1 } });
    await heading('Mary Shelley').waitFor();
    await page.goto(`/admin/users?search=${idOf(mary)}`);
    await waitForRows(1);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading('Mary Shelley').waitFor();
    await page.goto('/admin');
    await page.getByRole('link', { name: '<b>Ada</b> Lovelace' }).click();
    await heading('<b>Ada</b> Lovelace').waitFor();
    await page.goto(`/admin/users/${randomUUID()}`);
    await heading('User not found').waitFor();
    await page.getByRole('link', { name: 'Show all users' }).click();
    await admin.row(mary).waitFor();
  });

  test('suspends and restores several users for one reason', async () => {
    await page.goto('/admin/users?search=example.test');
    await waitForRows(3);
    for (const name of ['Ada', 'Mary']) await admin.row(name).getByRole('checkbox').check();
    await button('Suspend').click();
    const suspension = dialog('Suspend 2 users');
    await button('Cancel', suspension).click();
    await page.getByText('2 selected', { exact: true }).waitFor();
    await button('Suspend').click();
    await button('Suspend', suspension).click();
    await suspension.getByText('Enter a reason.', { exact: true }).waitFor();
    await suspension.getByLabel('Reason').fill('spam');
    await button('Suspend', suspension).click();
    await toast('2 users suspended').waitFor();
    for (const name of ['Ada', 'Mary'])
      await expect(admin.row(name).getByText('Suspended', { exact: true })).toBeVisible();
    for (const name of ['Ada', 'Mary']) await admin.row(name).getByRole('checkbox').check();
    await button('Restore').click();
    await dialog('Restore 2 users').getByLabel('Reason').fill('a mistake');
    const faster = { data: { suspended: false, expected: true }, headers: { origin: admin.product.url } };
    await page.request.patch(`${admin.product.url}/api/admin/users/${idOf(mary)}`, faster);
    await button('Restore', dialog('Restore 2 users')).click();
    const failed = dialog('Restore 1 user');
    await failed.getByText('1 of 2 failed', { exact: true }).waitFor();
    await failed.getByText(`${mary}: ${admin.email} changed this user on`).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await expect(failed.getByLabel('Reason')).toHaveValue('a mistake');
    await button('Cancel', failed).click();
    await page.getByText('1 selected', { exact: true }).waitFor();
    await expect(admin.row('Mary').getByRole('checkbox')).toBeChecked();
    await button('Restore').click();
    await failed.getByLabel('Reason').fill('a mistake');
    await button('Restore', failed).click();
    await toast('1 user restored').waitFor();
    await expect(page.getByText(/selected$/)).toHaveCount(0);
    const reasons = admin.world.db.selectFrom('audits').select('reason').where('action', '=', 'user.suspend');
    expect(await reasons.execute()).toEqual([{ reason: 'spam' }, { reason: 'spam' }]);
    await button('Actions for mary@example.test').click();
    await page.getByRole('menuitem', { name: 'Grant credits' }).click();
    await button('Cancel', dialog('Grant credits to Mary Shelley')).click();
  });

  test('shows each tab of a user, and stores it in the URL', async () => {
    const url = `${admin.product.url}/admin/users/${idOf(ada)}`;
    // The suspension ended the session of the sign-up.
    const session = { idHash: Buffer.alloc(32, 2), userId: idOf(ada), expiresAt: new Date(Date.now() + 3_600_000) };
    const device = { address: '203.0.113.7', userAgent: 'Firefox/140.0 (X11; Linux)' };
    const values = { ...session, ...device };
    await admin.world.db.insertInto('sessions').values(values).execute();
    await checkScreens(page, url, () => page.getByRole('link', { name: /^2: show images, web and API/ }).waitFor());
    await openUser(ada);
    await page.getByRole('link', { name: '1: show failed images (90 days)' }).click();
    await waitForRows(1);
    await admin.row('cat.png').getByText('corrupt_image', { exact: true }).waitFor();
    await openUser(ada);
    const shown: Record<string, () => Promise<void>> = {
      jobs: () => admin.row('dog.png').getByText('1 credit', { exact: true }).waitFor(),
      ledger: () => page.getByRole('tabpanel').getByText('Added').first().waitFor(),
      keys: () => page.getByText('upz_live_abcd...wxyz', { exact: true }).waitFor(),
      devices: () => page.getByText('203.0.113.7', { exact: true }).waitFor(),
      payments: () => page.getByText("The user hasn't paid a bill.", { exact: true }).waitFor(),
    };
    const names = { jobs: 'Jobs', ledger: 'Ledger', keys: 'API keys', devices: 'Devices', payments: 'Payments' };
    for (const [tab, name] of Object.entries(names)) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.waitForURL((now) => now.search === `?tab=${tab}`);
      await shown[tab]?.();
      await checkScreens(page, `${url}?tab=${tab}`, () => shown[tab]?.() ?? Promise.resolve());
    }
    await page.getByRole('link', { name: 'Open in Payments: transactions' }).click();
    await heading('Transactions').waitFor();
  });

  test('sets a plan until a day, and keeps what was typed when another administrator was faster', async () => {
    await forgetProof();
    await openUser(mary);
    await act('Change plan');
    const plan = dialog('Change the plan of Mary Shelley');
    await plan.getByText('Current plan: Free.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await plan.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'API Pro' }).click();
    await plan.getByLabel('Last day').fill('2020-01-01');
    await plan.getByLabel('Reason').fill('a gift');
    await button('Change plan', plan).click();
    await plan.getByText('Choose a date in the future.', { exact: true }).waitFor();
    await plan.getByLabel('Last day').fill(inAWeek());
    await update(mary, { tier: 'pro', overrideTier: 'pro' });
    await button('Change plan', plan).click();
    await prove();
    await plan.getByText('This user was changed in the meantime. Check the current values and try again.').waitFor();
    await plan.getByText('Current plan: Pro.', { exact: true }).waitFor();
    await expect(plan.getByLabel('Reason')).toHaveValue('a gift');
    await expect(plan.getByLabel('Last day')).toHaveValue(inAWeek());
    await button('Change plan', plan).click();
    await toast('Plan changed').waitFor();
    await page.getByText('API Pro', { exact: true }).first().waitFor();
    await page.getByText('a gift', { exact: true }).waitFor();
    await act('Change plan');
    await plan.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Enterprise' }).click();
    await plan.getByLabel('Reason').fill('a larger gift');
    await button('Change plan', plan).click();
    await page.getByText('a larger gift', { exact: true }).waitFor();
    const row = admin.world.db.selectFrom('users').select('overrideUntil').where('email', '=', mary);
    expect((await row.executeTakeFirstOrThrow()).overrideUntil?.toISOString()).toBe(`${inAWeek()}T23:59:59.999Z`);
  });

  test('warns about a live subscription to another plan', async () => {
    const { world } = admin;
    const subscriber = await world.subscribe();
    await world.pay(subscriber);
    await world.mirrorAll();
    await page.goto(`/admin/users/${subscriber.accountId}`);
    await page.getByRole('link', { name: /\. Active\. / }).waitFor();
    await act('Change plan');
    const plan = dialog(/^Change the plan/);
    await plan.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Enterprise' }).click();
    await plan.getByText(/^This user has a live subscription to .* Stripe continues to bill it/).waitFor();
    await button('Cancel', plan).click();
    await page.getByRole('tab', { name: 'Payments' }).click();
    await waitForRows(2);
  });

  test('grants credits', async () => {
    await openUser(mary);
    await act('Grant credits');
    const grant = dialog('Grant credits to Mary Shelley');
    expect(await findViolations(page)).toEqual([]);
    await grant.getByLabel('Credits', { exact: true }).fill('25');
    await grant.getByRole('combobox', { name: 'For' }).click();
    await page.getByRole('option', { name: 'Standard images' }).click();
    await grant.getByLabel('Reason').fill('sorry for the wait');
    await button('Grant credits', grant).click();
    await toast('25 standard images granted').waitFor();
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await page.getByText('sorry for the wait').waitFor();
  });

  test('gives a role', async () => {
    await update(mary, { emailVerified: true });
    await openUser(mary);
    await act('Change role');
    const role = dialog('Change the role of Mary Shelley');
    await role.getByText('Current role: No role. A role gives access to the back office.').waitFor();
    await role.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Support' }).click();
    await role.getByLabel('Reason').fill('hired');
    await button('Change role', role).click();
    await toast('Role changed').waitFor();
    await page.getByRole('tab', { name: 'Audit' }).click();
    await page.getByRole('cell', { name: 'Change role' }).first().waitFor();
    await update(mary, { role: null, emailVerified: false });
  });

  const confirm = async (action: string, title: string, submit: string) => {
    await act(action);
    await dialog(title).getByLabel('Reason').fill('they asked');
    await button(submit, dialog(title)).click();
  };

  test('sends the confirmation again, signs out, turns off two-factor, suspends, and restores', async () => {
    const { db } = admin.world;
    await db.deleteFrom('outbox').execute();
    await openUser(mary);
    await confirm('Resend confirmation email', 'Resend the confirmation email to Mary Shelley', 'Send email');
    await toast('Confirmation email queued').waitFor();
    await confirm('Resend confirmation email', 'Resend the confirmation email to Mary Shelley', 'Send email');
    await page.getByText('This user was sent a link less than a minute ago. Try again later.').waitFor();
    await button('Cancel').click();
    await openUser(ada);
    const name = '<b>Ada</b> Lovelace';
    await update(ada, { twoFactorAt: new Date() });
    await forgetProof();
    const off = `Turn off two-factor authentication of ${name}`;
    await confirm('Turn off two-factor', off, 'Turn off');
    await prove();
    await toast('Two-factor authentication turned off').waitFor();
    await confirm('Sign out everywhere', `Sign out ${name} everywhere`, 'Sign out everywhere');
    await toast('Signed out everywhere').waitFor();
    await confirm('Suspend', `Suspend ${name}`, 'Suspend user');
    await toast('User suspended').waitFor();
    await page.getByText(/^Suspended since/).waitFor();
    await confirm('Restore', `Restore ${name}`, 'Restore user');
    await toast('User restored').waitFor();
    await button('Actions').click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'Change plan',
      'Grant credits',
      'Change role',
      'Resend confirmation email',
      'Sign out everywhere',
      'Suspend',
    ]);
    await page.keyboard.press('Escape');
    const actions = db.selectFrom('audits').select('action').where('reason', '=', 'they asked').orderBy('createdAt');
    // Turning off two-factor authentication ended all sessions, so signing out changed nothing.
    expect((await actions.execute()).map(({ action }) => action)).toEqual([
      'user.verification',
      'user.two_factor_off',
      'user.suspend',
      'user.restore',
    ]);
  });
  test('invites a person, sends the invitation again, and revokes it', async () => {
    await page.goto('/admin');
    await forgetProof();
    await page.getByRole('link', { name: 'Add User' }).first().click();
    await heading('Add New User').waitFor();
    await button('Send invitation').click();
    await page.getByText('Enter a valid email address.', { exact: true }).waitFor();
    await page.getByLabel('Email').fill('new@example.test');
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Support' }).click();
    await page.getByLabel('Reason').fill('hired');
    await button('Send invitation').click();
    await prove();
    await toast('Invitation sent').waitFor();
    await admin.row('new@example.test').getByText('Support', { exact: true }).waitFor();
    await checkScreens(page, `${admin.product.url}/admin/users/new`, () => admin.row('new@example.test').waitFor());
    const resend = button('Resend the invitation to new@example.test');
    await resend.click();
    await page.getByText('This invitation was sent less than a minute ago. Try again later.').first().waitFor();
    await admin.world.db
      .updateTable('invitations')
      .set({ sentAt: new Date(Date.now() - 120_000) })
      .execute();
    await resend.click();
    await toast('Invitation sent again').waitFor();
    await page.getByLabel('Email').fill('NEW@example.test');
    await page.getByLabel('Reason').fill('hired again');
    await button('Send invitation').click();
    await page.getByText('This email address was already invited. Resend or revoke that invitation.').waitFor();
    await expect(page.getByLabel('Reason')).toHaveValue('hired again');
    await button('Revoke the invitation of new@example.test').click();
    const question = page.getByRole('alertdialog', { name: 'Revoke invitation?' });
    await button('Revoke', question).click();
    await toast('Invitation revoked').waitFor();
    await page.getByText('No pending invitations', { exact: true }).waitFor();
  });

  test('shows the own profile', async () => {
    await checkScreens(page, `${admin.product.url}/admin/profile`, () => heading('Profile').waitFor());
    await page.getByText('Change roles: included').waitFor();
    await page.getByRole('link', { name: 'Open account settings' }).click();
    await page.waitForURL('**/account');
  });

  test('hides what a role may not do, masks emails, and says when a grant exceeds the limit', async () => {
    await setRole('viewer');
    await page.goto('/admin/users?search=Shelley');
    await waitForRows(1);
    await page.getByText('m***@***.test', { exact: true }).waitFor();
    await expect(page.getByText(mary)).toHaveCount(0);
    for (const name of ['Suspend', 'Add User']) await expect(page.getByText(name, { exact: true })).toHaveCount(0);
    await openUser(mary);
    await expect(button('Actions')).toHaveCount(0);
    await expect(page.getByRole('tab')).toHaveText(['Overview', 'History', 'Jobs', 'Ledger', 'Devices', 'Payments']);
    await page.goto('/admin/users/new');
    await heading('Access Denied').waitFor();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await heading('Dashboard').waitFor();
    await setRole('support');
    await openUser(mary);
    await button('Actions').click();
    await expect(page.getByRole('menuitem')).toHaveText(['Grant credits']);
    await page.getByRole('menuitem', { name: 'Grant credits' }).click();
    const grant = dialog('Grant credits to Mary Shelley');
    await grant.getByText('Your role can grant 100 credits per day (UTC).', { exact: true }).waitFor();
    await grant.getByLabel('Credits', { exact: true }).fill('101');
    await grant.getByLabel('Reason').fill('sorry');
    await button('Grant credits', grant).click();
    await grant.getByText(/You can grant \d+ more today\./).waitFor();
    await expect(grant.getByLabel('Reason')).toHaveValue('sorry');
    await setRole('owner');
  });

  test('lets admins invite without a role only', async () => {
    await admin.world.db.updateTable('sessions').set({ steppedUpAt: new Date() }).execute();
    const headers = { origin: admin.product.url };
    const data = { email: 'staff@example.test', role: 'viewer' };
    await page.request.post(`${admin.product.url}/api/admin/invitations`, { data, headers });
    await setRole('admin');
    await page.goto('/admin/users/new');
    await page.getByLabel('Email').fill('customer@example.test');
    await expect(page.getByRole('combobox', { name: 'Role' })).toHaveCount(0);
    await page.getByLabel('Reason').fill('asked for it');
    await button('Send invitation').click();
    await button('Revoke the invitation of customer@example.test').waitFor();
    await admin.row('staff@example.test').waitFor();
    await expect(button('Revoke the invitation of staff@example.test')).toHaveCount(0);
    await setRole('owner');
  });
});
