import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { screen, waitFor, within } from '@testing-library/react';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findRow, textsOf, waitForRows } from '../../../../test/component/admin-page.ts';
import { holdNavigation } from '../../../../test/component/hold-navigation.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { db, fill, makeAccount, makeAdmin, openPage, readPath, site } from '../../../../test/component/open-page.tsx';
import { subscribe } from '../../../../test/component/shop.ts';

it('leads visitors to the sign-in page, and denies users', async () => {
  const assign = holdNavigation();
  await openPage('/admin/payments');
  await screen.findByText('Please log in to access the admin dashboard.');
  const url = `/auth?next=${encodeURIComponent('/admin/payments')}`;
  await waitFor(() => expect(assign).toHaveBeenCalledWith(url));
  const account = await makeAccount();
  const calls: string[] = [];
  const record: typeof fetch = (url, init) => {
    calls.push(new URL(String(url)).pathname);
    return account.fetch(url, init);
  };
  await openPage('/admin', { fetch: record });
  await screen.findByText("You don't have admin privileges.");
  await waitFor(() => expect(readPath()).toBe('/dashboard'));
  for (const end of ['', '/transactions', '/coupons', '/prices', '/inbox']) {
    await openPage(`/admin/payments${end}`, { fetch: record });
    await screen.findByRole('heading', { level: 1, name: 'Access Denied' });
    screen.getByText('You need admin privileges to access this page.');
  }
  expect(calls).toContain('/api/user');
  expect(calls.filter((path) => path.startsWith('/api/admin'))).toEqual([]);
  expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull();
});

it('opens from the navigation bar, and highlights the current page in the sidebar', async () => {
  const admin = await makeAdmin();
  const first = await openPage('/pricing', admin);
  const [link] = await screen.findAllByRole('link', { name: 'Admin' });
  await first.click(link as HTMLElement);
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' });
  expect(readPath()).toBe('/admin');
  // A spinner is shown until the user is known.
  const signals = new EventEmitter();
  const released = once(signals, 'released');
  intercept(/^\/api\/user$/, async (send) => {
    await released;
    return send();
  });
  const user = await openPage('/admin/payments', admin);
  await screen.findByRole('status', { name: 'Loading' });
  signals.emit('released');
  await screen.findByRole('heading', { level: 1, name: 'Subscriptions' });
  // Small screens have a menu in its place.
  const sidebar = screen.getByRole('navigation', { name: 'Admin Panel', hidden: true });
  const readCurrent = (kind: string) => textsOf(sidebar.querySelectorAll(`[aria-current="${kind}"]`));
  expect(readCurrent('page')).toEqual(['Subscriptions']);
  await user.click(within(sidebar).getByRole('link', { name: 'Transactions', hidden: true }));
  await screen.findByRole('heading', { level: 1, name: 'Transactions' });
  expect(readCurrent('page')).toEqual(['Transactions']);
  expect(readCurrent('true')).toEqual(['Payments']);
});

/** Three payments that searches find by the last name of their accounts. The last one was declined. */
async function makePayments() {
  const lastName = `Lovelace ${randomUUID().slice(0, 8)}`;
  const accounts: SignedIn[] = [];
  for (const status of ['succeeded', 'succeeded', 'requires_payment_method'] as const) {
    const account = await makeAccount();
    await subscribe(account);
    const { id } = account.user;
    await db.updateTable('users').set({ lastName }).where('id', '=', id).execute();
    const customers = db.selectFrom('billingCustomers').select('stripeId').where('accountId', '=', id);
    const createdAt = new Date(Date.now() - (3 - accounts.length) * 60_000);
    await db.updateTable('payments').set({ status, createdAt }).where('customerId', 'in', customers).execute();
    accounts.push(account);
  }
  const [ada, mary] = accounts as [SignedIn, SignedIn, SignedIn];
  return { lastName, ada, mary };
}

/** Keeps the page when it starts a download. Returns the paths of those that were started. */
function holdDownloads(): string[] {
  const started: string[] = [];
  const { click } = HTMLElement.prototype;
  const spy = vi.spyOn(HTMLElement.prototype, 'click').mockImplementation(function (this: HTMLElement) {
    if (this.hasAttribute('download')) started.push(this.getAttribute('href') ?? '');
    else click.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return started;
}

it('is usable by keyboard: search, rows, and export of the filtered rows', async () => {
  const [{ lastName, ada, mary }, admin] = [await makePayments(), await makeAdmin()];
  const downloads = holdDownloads();
  const search = encodeURIComponent(lastName);
  const user = await openPage(`/admin/payments/transactions?status=succeeded&search=${search}`, admin);
  await waitForRows(2);
  await user.keyboard('jj');
  expect(document.activeElement).toHaveTextContent(ada.email);
  await user.keyboard('k');
  expect(document.activeElement).toHaveTextContent(mary.email);
  await user.keyboard('/');
  const field = screen.getByRole('searchbox');
  expect(field).toHaveFocus();
  await fill(user, field, mary.email);
  await waitForRows(1);
  await findRow(mary.email);
  // Past the fields, where letters are typed or choose an option.
  screen.getByRole('link', { name: 'Export JSON' }).focus();
  await user.keyboard('e');
  await waitFor(() => expect(downloads).toHaveLength(1));
  const file = await admin.fetch(site.url + downloads[0]);
  expect(file.headers.get('content-disposition')).toMatch(/filename="?transactions-\d{4}-\d\d-\d\d\.csv"?$/);
  const lines = (await file.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(mary.email);
});
