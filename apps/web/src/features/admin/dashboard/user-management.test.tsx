import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  chooseOption,
  confirmIdentity,
  findRow,
  press,
  textsOf,
  waitForRows,
} from '../../../../test/component/admin-page.ts';
import { holdNavigation } from '../../../../test/component/hold-navigation.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import {
  db,
  fill,
  makeAccount,
  makeAdmin,
  makeProtectedAccount,
  openPage,
  readPath,
  setRole,
  site,
} from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

const findHeading = () => screen.findByRole('heading', { level: 1, name: 'Dashboard' });

/** Opens the dashboard with one user in its list. */
async function openUser({ email }: SignedIn, by = admin): Promise<UserEvent> {
  const user = await openPage(`/admin?search=${email}`, by);
  await waitForRows(1);
  return user;
}

it('asks for a code after two-factor authentication was turned on, or for the password', async () => {
  const ada = await makeAccount();
  const { account: careful, secret } = await makeProtectedAccount();
  await setRole(careful, 'owner');
  await db.updateTable('sessions').set({ steppedUpAt: null }).where('userId', '=', careful.user.id).execute();
  // Allows the code to be used again.
  await db.updateTable('users').set({ twoFactorStep: 0 }).where('id', '=', careful.user.id).execute();
  const user = await openUser(ada, careful);
  const tier = `Subscription of ${ada.email}`;
  await chooseOption(user, tier, 'Enterprise');
  const dialog = await screen.findByRole('dialog', { name: "Confirm it's you" });
  const findCode = () => within(dialog).findByLabelText(/code/);
  await waitFor(async () => expect(await findCode()).toHaveFocus());
  await press(user, 'Use your password instead', dialog);
  await waitFor(() => expect(within(dialog).getByLabelText('Current password')).toHaveFocus());
  expect(within(dialog).queryByLabelText(/code/)).toBeNull();
  await press(user, 'Use a code instead', dialog);
  await fill(user, await findCode(), totpCode(secret, 9));
  await press(user, 'Confirm', dialog);
  await within(dialog).findByText(/This code is incorrect/);
  await fill(user, await findCode(), totpCode(secret));
  await press(user, 'Confirm', dialog);
  await waitFor(() => expect(screen.getByRole('combobox', { name: tier })).toHaveTextContent('Enterprise'));
  await chooseOption(user, tier, 'API Pro');
  await waitFor(() => expect(screen.getByRole('combobox', { name: tier })).toHaveTextContent('API Pro'));
});

it('changes a tier after the password', async () => {
  const [ada, careful] = [await makeAccount(), await makeAdmin('owner', { isConfirmed: false })];
  const user = await openUser(ada, careful);
  const tier = `Subscription of ${ada.email}`;
  await chooseOption(user, tier, 'API Pro');
  await confirmIdentity(user, careful);
  await screen.findByText('User subscription updated successfully');
  await waitFor(() => expect(screen.getByRole('combobox', { name: tier })).toHaveTextContent('API Pro'));
});

it('exports the rows by a key', async () => {
  const downloads: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.hasAttribute('download')) downloads.push(this.getAttribute('href') ?? '');
    else this.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  });
  onTestFinished(() => click.mockRestore());
  const user = await openUser(await makeAccount());
  await user.keyboard('e');
  await waitFor(() => expect(downloads).toHaveLength(1));
  const file = await (await admin.fetch(site.url + downloads[0])).text();
  // The header, and the row that is shown.
  expect(file.trim().split('\r\n')).toHaveLength(2);
});

it('leads to the sign-in page when the session has ended', async () => {
  const [ada, staff] = [await makeAccount(), await makeAdmin()];
  const leaves = holdNavigation();
  const user = await openPage('/admin', staff);
  await findHeading();
  await fill(user, await screen.findByRole('searchbox'), ada.email);
  await waitForRows(1);
  await db.deleteFrom('sessions').where('userId', '=', staff.user.id).execute();
  await chooseOption(user, `Subscription of ${ada.email}`, 'Pro');
  await screen.findByText('Session expired. Redirecting to login...');
  await waitFor(() => expect(leaves).toHaveBeenCalledTimes(1));
  const { pathname, searchParams } = new URL(String(leaves.mock.lastCall?.[0]), site.url);
  expect([pathname, searchParams.get('next')]).toEqual([
    '/api/login',
    `/admin?search=${encodeURIComponent(ada.email)}`,
  ]);
});

it('shows why an export failed, and offers none before the rows are loaded', async () => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  intercept(/\/api\/admin\/users\?/, async (send) => {
    await isReleased;
    return send();
  });
  const { email } = await makeAccount();
  const user = await openPage(`/admin?search=${email}`, admin);
  const findLink = () => screen.findByRole('link', { name: 'Export CSV' });
  expect(await findLink()).toHaveAttribute('aria-disabled', 'true');
  release();
  await waitForRows(1);
  const link = await findLink();
  expect(link).not.toHaveAttribute('aria-disabled', 'true');
  const detail = 'Too many requests. Wait a minute.';
  const headers = { 'x-error-code': 'rate_limited' };
  intercept(/\/api\/admin\/users\/export/, async () => new Response(detail, { status: 429, headers }));
  await user.click(link);
  await screen.findByText("Couldn't export");
  await screen.findByText(detail);
});

it('says that what needs attention could not be loaded', async () => {
  const restore = intercept(/\/api\/admin\/attention$/, async () => new Response('Try again later.', { status: 503 }));
  const user = await openPage('/admin', admin);
  await screen.findByText('Try again later.');
  restore();
  await press(user, 'Try again');
  await waitFor(() => expect(screen.queryByText('Try again later.')).toBeNull());
});

it('filters, hides columns, and exports what is shown', async () => {
  const lastName = randomUUID();
  const ada = await makeAccount({ tier: 'api_pro' });
  const named = { firstName: '<b>Ada</b>', lastName };
  await db.updateTable('users').set(named).where('id', '=', ada.user.id).execute();
  const user = await openPage(`/admin?tier=api_pro&search=${lastName}`, admin);
  await waitForRows(1);
  await press(user, 'View');
  await user.click(await screen.findByRole('checkbox', { name: 'Joined' }));
  await user.click(screen.getByRole('checkbox', { name: 'Images This Month' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(decodeURIComponent(readPath())).toContain('columns=user,subscription,calls'));
  const link = screen.getByRole('link', { name: 'Export JSON' }).getAttribute('href');
  const rows = (await (await admin.fetch(site.url + link)).json()) as object[];
  expect(rows).toMatchObject([{ email: ada.email, first_name: '<b>Ada</b>', subscription: 'api_pro' }]);
  expect(Object.keys(rows[0] ?? {})).not.toContain('joined');
  await chooseOption(user, 'Plan', 'Enterprise');
  await screen.findByText('No matches');
  await press(user, 'Clear filters');
  await screen.findByRole('searchbox');
  await waitFor(() => expect(readPath()).not.toContain('tier='));
});

it('opens the dialog for a user with another live subscription, and says which plan they have then', async () => {
  const mary = await makeAccount();
  const [from, until] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000)) as [Date, Date];
  await makePaidPlan(db, { accountId: mary.user.id, tier: 'pro', from, until });
  const user = await openUser(mary);
  await chooseOption(user, `Subscription of ${mary.email}`, 'Enterprise');
  const dialog = await screen.findByRole('dialog', { name: /^Change the plan of / });
  await within(dialog).findByText(/^This user has a live subscription to Pro\./);
  await chooseOption(user, 'Plan', 'Free');
  await within(dialog).findByText(/^Free removes a plan set by an administrator\./);
  await fill(user, within(dialog).getByLabelText('Reason'), 'left');
  await press(user, 'Change plan', dialog);
  await screen.findByText('The user has Pro');
});

it('opens the dialog for a user whose plan has an end, instead of changing it at once', async () => {
  const mary = await makeAccount();
  const end = new Date(Date.now() + 86_400_000);
  const given = { tier: 'pro', overrideTier: 'pro', overrideUntil: end } as const;
  await db.updateTable('users').set(given).where('id', '=', mary.user.id).execute();
  const user = await openUser(mary);
  await chooseOption(user, `Subscription of ${mary.email}`, 'Enterprise');
  const dialog = await screen.findByRole('dialog', { name: /^Change the plan of / });
  expect(within(dialog).getByLabelText(/^Last day/)).toHaveValue(end.toISOString().slice(0, 10));
  const stored = db.selectFrom('users').select(['tier', 'overrideUntil']).where('id', '=', mary.user.id);
  expect(await stored.executeTakeFirst()).toEqual({ tier: 'pro', overrideUntil: end });
});

it('hides what a new role does not include as soon as a call was rejected', async () => {
  const [ada, staff] = [await makeAccount(), await makeAdmin()];
  const user = await openUser(ada, staff);
  await setRole(staff, 'editor');
  await chooseOption(user, `Subscription of ${ada.email}`, 'Pro');
  await screen.findByText('Your role: Editor');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'User Management' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Operations' })).toBeNull();
});

it('hides what a role may not see, and denies its address', async () => {
  const [staff, ada] = [await makeAdmin('editor'), await makeAccount()];
  const lastName = randomUUID();
  await db.updateTable('users').set({ lastName }).where('id', '=', ada.user.id).execute();
  await openPage('/admin', staff);
  await findHeading();
  const totals = await screen.findByLabelText('Site totals');
  expect(textsOf(totals.querySelectorAll('dt'))).toEqual(['Total Users', 'Active Subscriptions']);
  expect(screen.queryByRole('heading', { name: 'User Management' })).toBeNull();
  await openPage('/admin/payments', staff);
  await screen.findByRole('heading', { level: 1, name: 'Access Denied' });
  await setRole(staff, 'viewer');
  await openPage(`/admin?search=${lastName}`, staff);
  await findRow(lastName);
  expect(screen.queryByRole('combobox', { name: /^Subscription of/ })).toBeNull();
  await openPage('/admin/payments/coupons', staff);
  await screen.findByRole('heading', { level: 1, name: 'Coupons' });
  expect(screen.queryByRole('button', { name: 'Create Coupon' })).toBeNull();
});
