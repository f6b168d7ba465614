import { screen, waitFor, within } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, expect, it } from 'vitest';
import { chooseOption, press } from '../../../../test/component/admin-page.ts';
import { db, fill, makeAccount, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';

const none = 'No pools. All workers process the images of all accounts.';

const admin = fileFixture(makeAdmin);
// Other files make none.
beforeEach(async () => {
  await db.deleteFrom('pools').execute();
});

const putPool = (id: string) =>
  admin.client.adminPutPool({ params: { id }, body: { fallback: 'outage', tiers: ['enterprise'] } });
/** Waits for the item of a pool in the list. */
const findPool = async (name: string): Promise<HTMLElement> => {
  const item = (await screen.findByRole('button', { name: `Edit ${name}` })).closest('li');
  if (!item) throw new Error(`${name} is not in a list`);
  return item;
};

it('creates a pool for a plan, changes it, says which plan a new pool would take, and deletes it', async () => {
  const user = await openPage('/admin/jobs', admin);
  await screen.findByText(none);
  await press(user, 'New pool');
  const dialog = await screen.findByRole('dialog');
  await fill(user, within(dialog).getByLabelText('Name'), 'Gold!');
  await press(user, 'Save pool', dialog);
  await within(dialog).findByText('Use 1 to 40 lowercase letters, digits, and hyphens, but not "shared".');
  await fill(user, within(dialog).getByLabelText('Name'), 'gold');
  await user.click(within(dialog).getByLabelText('Enterprise'));
  await fill(user, within(dialog).getByLabelText(/^Reason/), 'Sold to <b>Ada</b>');
  await press(user, 'Save pool', dialog);
  await screen.findByText('Pool saved');
  await within(await findPool('gold')).findByText('No live worker');
  within(await findPool('gold')).getByText('Enterprise');

  await press(user, 'Edit gold');
  await chooseOption(user, 'Shared workers help', 'While no slot is free');
  await press(user, 'Save pool', screen.getByRole('dialog'));
  await within(await findPool('gold')).findByText('While no slot is free');
  await press(user, 'New pool');
  const other = await screen.findByRole('dialog');
  await fill(user, within(other).getByLabelText('Name'), 'silver');
  await user.click(within(other).getByLabelText('Enterprise'));
  await within(other).findByText('Enterprise moves here from gold.');
  await press(user, 'Cancel', other);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await press(user, 'Delete gold');
  await press(user, 'Delete pool', await screen.findByRole('alertdialog'));
  await screen.findByText('Pool deleted');
  await screen.findByText(none);
  await openPage(`/admin/audit?group=pool&actor=${admin.user.id}`, admin);
  await screen.findAllByText('Change worker pool');
});

it('assigns a pool to an account, which uses shared workers again after the pool was deleted', async () => {
  const [ada] = [await makeAccount(), await putPool('gold')];
  const user = await openPage(`/admin/users/${ada.user.id}`, admin);
  await screen.findByText('Shared workers');
  await press(user, 'Assign pool');
  await chooseOption(user, 'Worker pool', 'gold');
  await press(user, 'Assign pool', screen.getByRole('dialog'));
  await screen.findByText('gold (assigned)');

  // No process repeats its sign.
  const lastSignAt = new Date('2100-01-01T00:00:00Z');
  const worker = {
    id: 'w-1',
    name: 'gold-1',
    pool: 'gold',
    engines: ['standard'],
    device: 'cpu',
    slots: 4,
    lastSignAt,
  };
  await db.insertInto('workers').values(worker).execute();
  await openPage('/admin/jobs', admin);
  const gold = within(await findPool('gold'));
  await gold.findByText('1 live worker');
  expect(gold.getByRole('link')).toHaveAttribute('href', `/admin/users/${ada.user.id}`);
  await db.deleteFrom('workers').where('id', '=', worker.id).execute();
  await admin.client.adminDeletePool({ params: { id: 'gold' } });
  await openPage(`/admin/users/${ada.user.id}`, admin);
  await screen.findByText('Shared workers');
});

it('shows pools to support, without buttons', async () => {
  const [ada, support] = [await makeAccount(), await makeAdmin('support'), await putPool('gold')];
  await admin.client.adminSetUserPool({ params: { id: ada.user.id }, body: { pool: 'gold' } });
  await openPage('/admin/jobs', support);
  await screen.findByText('After 5 minutes without a worker');
  expect(screen.queryByRole('button', { name: /^(New pool|Edit|Delete)/ })).toBeNull();
  await openPage(`/admin/users/${ada.user.id}`, support);
  await screen.findByText('gold (assigned)');
  expect(screen.queryByRole('button', { name: 'Assign pool' })).toBeNull();
});
