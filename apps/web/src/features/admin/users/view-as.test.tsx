import { screen, waitFor, within } from '@testing-library/react';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { confirmIdentity, press } from '../../../../test/component/admin-page.ts';
import { holdNavigation } from '../../../../test/component/hold-navigation.ts';
import { db, fill, makeAccount, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';

const findBanner = () => screen.findByRole('region', { name: 'Viewed account' });

/** An administrator who views the account of a user. */
async function viewAccount() {
  const [admin, ada] = [await makeAdmin(), await makeAccount()];
  await admin.client.adminStartView({ params: { id: ada.user.id }, body: { reason: 'Ticket 4711' } });
  return { admin, ada, path: `/admin/users/${ada.user.id}` };
}

/** Opens the page of a user as after a view. */
async function expectUserPage(path: string, admin: SignedIn): Promise<void> {
  await openPage(path, admin);
  await screen.findByRole('heading', { level: 1, name: 'Ada' });
  expect(screen.queryByRole('region', { name: 'Viewed account' })).toBeNull();
}

it('starts after a reason and the password', async () => {
  const assign = holdNavigation();
  const [admin, { email, user }] = [await makeAdmin('owner', { isConfirmed: false }), await makeAccount()];
  const acting = await openPage(`/admin/users/${user.id}`, admin);
  await press(acting, 'View as user');
  const dialog = await screen.findByRole('dialog', { name: `View as ${email}?` });
  await press(acting, 'Start viewing', dialog);
  await within(dialog).findByText('Enter a reason.');
  await fill(acting, within(dialog).getByLabelText('Reason'), 'Ticket 4711');
  await press(acting, 'Start viewing', dialog);
  await confirmIdentity(acting, admin);
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/dashboard'));
  await openPage('/dashboard', admin);
  const notice = `You're viewing the account of ${email}. You can't make changes. 30 minutes left.`;
  expect(await findBanner()).toHaveTextContent(notice);
});

it('shows the banner on every page, and refuses changes', async () => {
  const { admin, ada } = await viewAccount();
  for (const path of ['/', '/pricing', '/account', '/dashboard?tab=images', '/admin']) {
    await openPage(path, admin);
    await findBanner();
  }
  await screen.findByText('Access Denied');
  const user = await openPage('/account', admin);
  await fill(user, await screen.findByLabelText(/^First name/i), 'Eve');
  await press(user, 'Save');
  await screen.findByText("This isn't available while you're viewing another account. Stop viewing first.");
  const names = db.selectFrom('users').select('firstName').where('id', '=', ada.user.id);
  expect(await names.execute()).toEqual([{ firstName: 'Ada' }]);
});

it('stops, and tells the user', async () => {
  const assign = holdNavigation();
  const { admin, ada, path } = await viewAccount();
  const expectView = async (text: string) => {
    await openPage('/account#devices', ada);
    within(await screen.findByRole('region', { name: 'Views by support' })).getByText(text);
  };
  await expectView('Uprez support is viewing your account');
  const user = await openPage('/account', admin);
  await press(user, 'Stop viewing', await findBanner());
  await waitFor(() => expect(assign).toHaveBeenCalledWith(path));
  await expectUserPage(path, admin);
  await expectView('Uprez support viewed your account');
});

it('returns after a view has ended', async () => {
  const assign = holdNavigation();
  const { admin, ada, path } = await viewAccount();
  const user = await openPage('/dashboard', admin);
  await findBanner();
  const views = db.updateTable('accountViews').set({ endsAt: new Date(0) });
  await views.where('userId', '=', ada.user.id).execute();
  const [link] = screen.getAllByRole('link', { name: 'Account' });
  await user.click(link as HTMLElement);
  await waitFor(() => expect(assign).toHaveBeenCalledWith(path));
  await expectUserPage(path, admin);
});
