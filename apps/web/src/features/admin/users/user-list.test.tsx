import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { chooseOption, confirmIdentity, findRow, press, waitForRows } from '../../../../test/component/admin-page.ts';
import { choose, db, fill, makeAccount, makeAdmin, openPage, readPath } from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

/** Two accounts with a last name of their own. */
async function makeFamily() {
  const lastName = randomUUID();
  const members = [await makeAccount(), await makeAccount()] as const;
  const ids = members.map(({ user }) => user.id);
  await db.updateTable('users').set({ lastName }).where('id', 'in', ids).execute();
  return { lastName, members, ids };
}
const findDialog = (name: string) => screen.findByRole('dialog', { name });

it('filters by role and search', async () => {
  const { lastName, members } = await makeFamily();
  const [ada] = members;
  await db.updateTable('users').set({ role: 'owner' }).where('id', '=', ada.user.id).execute();
  const user = await openPage(`/admin/users?search=${lastName}`, admin);
  await waitForRows(2);
  await chooseOption(user, 'Role', 'Owner');
  await waitForRows(1);
  expect(readPath()).toBe(`/admin/users?search=${lastName}&role=owner`);
  await chooseOption(user, 'Role', 'Viewer');
  await press(user, 'Clear filters');
  await waitFor(() => expect(readPath()).toBe('/admin/users'));
  await fill(user, screen.getByRole('searchbox', { name: 'Search by name, email, or ID' }), ada.user.id);
  await waitForRows(1);
  await findRow(`Ada ${lastName}`);
});

it('says that a user does not exist', async () => {
  const user = await openPage(`/admin/users/${randomUUID()}`, admin);
  await screen.findByRole('heading', { level: 1, name: 'User not found' });
  await user.click(screen.getByRole('link', { name: 'Show all users' }));
  await screen.findByRole('heading', { level: 1, name: 'Users' });
});

it('suspends and restores several users for one reason', async () => {
  const { lastName, members, ids } = await makeFamily();
  const [ada, mary] = members;
  const user = await openPage(`/admin/users?search=${lastName}`, admin);
  const select = async ({ email }: SignedIn) => user.click(within(await findRow(email)).getByRole('checkbox'));
  await waitForRows(2);
  for (const member of members) await select(member);
  await press(user, 'Suspend');
  await press(user, 'Cancel', await findDialog('Suspend 2 users'));
  await screen.findByText('2 selected');
  await press(user, 'Suspend');
  const suspension = await findDialog('Suspend 2 users');
  await press(user, 'Suspend', suspension);
  await within(suspension).findByText('Enter a reason.');
  await fill(user, within(suspension).getByLabelText('Reason'), 'spam');
  await press(user, 'Suspend', suspension);
  await screen.findByText('2 users suspended');
  for (const { email } of members)
    await waitFor(async () => expect(await findRow(email)).toHaveTextContent('Suspended'));
  for (const member of members) await select(member);
  await press(user, 'Restore');
  const both = await findDialog('Restore 2 users');
  await fill(user, within(both).getByLabelText('Reason'), 'a mistake');
  const faster = await makeAdmin();
  await faster.client.adminUpdateUser({ params: { id: mary.user.id }, body: { suspended: false, expected: true } });
  await press(user, 'Restore', both);
  const failed = await findDialog('Restore 1 user');
  await within(failed).findByText('1 of 2 failed');
  await within(failed).findByText(new RegExp(`^${mary.email}: ${faster.email} changed this user on`));
  expect(within(failed).getByLabelText('Reason')).toHaveValue('a mistake');
  await press(user, 'Cancel', failed);
  await screen.findByText('1 selected');
  expect(within(await findRow(mary.email)).getByRole('checkbox')).toBeChecked();
  await press(user, 'Restore');
  const again = await findDialog('Restore 1 user');
  await fill(user, within(again).getByLabelText('Reason'), 'a mistake');
  await press(user, 'Restore', again);
  await screen.findByText('1 user restored');
  await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
  const suspensions = db.selectFrom('audits').select('reason').where('action', '=', 'user.suspend');
  const reasons = await suspensions.where('accountId', 'in', ids).execute();
  expect(reasons).toEqual([{ reason: 'spam' }, { reason: 'spam' }]);
  await choose(user, `Actions for ${ada.email}`, 'Grant credits');
  await press(user, 'Cancel', await findDialog(`Grant credits to Ada ${lastName}`));
});

it('invites a person, sends the invitation again, and revokes it', async () => {
  const inviting = await makeAdmin('owner', { isConfirmed: false });
  const email = `${randomUUID()}@example.test`;
  const user = await openPage('/admin/users/new', inviting);
  await screen.findByRole('heading', { level: 1, name: 'Add New User' });
  await press(user, 'Send invitation');
  await screen.findByText('Enter a valid email address.');
  await fill(user, screen.getByLabelText('Email'), email);
  await chooseOption(user, 'Role', 'Support');
  await fill(user, screen.getByLabelText('Reason'), 'hired');
  await press(user, 'Send invitation');
  await confirmIdentity(user, inviting);
  await screen.findByText('Invitation sent');
  expect(await findRow(email)).toHaveTextContent('Support');
  const resend = `Resend the invitation to ${email}`;
  await press(user, resend);
  await screen.findAllByText('This invitation was sent less than a minute ago. Try again later.');
  const long = new Date(Date.now() - 120_000);
  await db.updateTable('invitations').set({ sentAt: long }).where('email', '=', email).execute();
  await press(user, resend);
  await screen.findByText('Invitation sent again');
  await fill(user, screen.getByLabelText('Email'), email.toUpperCase());
  await fill(user, screen.getByLabelText('Reason'), 'hired again');
  await press(user, 'Send invitation');
  await screen.findByText('This email address was already invited. Resend or revoke that invitation.');
  expect(screen.getByLabelText('Reason')).toHaveValue('hired again');
  await press(user, `Revoke the invitation of ${email}`);
  await press(user, 'Revoke', await screen.findByRole('alertdialog', { name: 'Revoke invitation?' }));
  await screen.findByText('Invitation revoked');
  await waitFor(() => expect(screen.queryByText(email)).toBeNull());
});

it('lets admins invite without a role only', async () => {
  const [staff, customer] = [`${randomUUID()}@example.test`, `${randomUUID()}@example.test`];
  await admin.client.adminInviteUser({ body: { email: staff, role: 'viewer' } });
  const user = await openPage('/admin/users/new', await makeAdmin('admin'));
  await fill(user, await screen.findByLabelText('Email'), customer);
  expect(screen.queryByRole('combobox', { name: 'Role' })).toBeNull();
  await fill(user, screen.getByLabelText('Reason'), 'asked for it');
  await press(user, 'Send invitation');
  await screen.findByRole('button', { name: `Revoke the invitation of ${customer}` });
  await findRow(staff);
  expect(screen.queryByRole('button', { name: `Revoke the invitation of ${staff}` })).toBeNull();
});
