import { randomUUID } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { intercept } from '../../../../test/component/intercept.ts';
import { fill, makeAdmin, openPage } from '../../../../test/component/open-page.tsx';

const admin = fileFixture(makeAdmin);

const field = (name: string) => screen.getByRole('textbox', { name });
const press = (user: UserEvent, name: string) => user.click(screen.getByRole('button', { name }));
async function openSettings(path = '', account = admin) {
  const user = await openPage(`/admin/settings${path}`, account);
  await screen.findAllByRole('textbox');
  return user;
}
/** A link of the tabs of the settings. */
const findTab = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Settings' })).getByRole('link', { name });

it('shows errors under the fields, and keeps what was typed', async () => {
  const user = await openSettings();
  await fill(user, field('Site name'), '');
  await fill(user, field('Contact email'), 'nobody');
  await fill(user, field('Site URL'), 'images');
  await fill(user, field('photo (USD per hour)'), 'much');
  await press(user, 'Save');
  for (const error of [
    'Site name is required',
    'Must be a valid email',
    'Must be a valid URL',
    'Enter an amount such as 2.35.',
  ])
    await screen.findByText(error);
  expect(field('Site name')).toHaveFocus();
  expect(field('Contact email')).toHaveValue('nobody');
  await press(user, 'Discard changes');
  await waitFor(() => expect(field('Contact email')).not.toHaveValue('nobody'));
});

it('asks before unsaved changes are left', async () => {
  const user = await openSettings();
  await fill(user, field('Site name'), 'Never saved');
  await user.click(findTab('SEO & Analytics'));
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(field('Site name')).toHaveValue('Never saved');
  await user.click(findTab('SEO & Analytics'));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByRole('textbox', { name: 'Meta title' });
  await openSettings();
  expect(field('Site name')).toHaveValue('Uprez');
});

it('keeps typed values when another administrator saved, and replaces theirs only by its own button', async () => {
  const ours = `Open on ${randomUUID()}`;
  const read = async () => (await admin.client.getSiteSettings()).data;
  const conflict = async (theirs: string) => {
    const user = await openSettings();
    await fill(user, field('Support hours'), ours);
    await admin.client.putSiteSettings({ body: { ...(await read()), supportHours: theirs } });
    await press(user, 'Save');
    await screen.findByText(new RegExp(`^${admin.email} changed these settings on`));
    expect(screen.queryByText('Failed to update site settings')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(field('Support hours')).toHaveValue(ours);
    return user;
  };
  const user = await conflict('Mondays');
  // The values were not sent.
  await user.click(findTab('SEO & Analytics'));
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  // Doesn't save.
  await user.type(field('Support hours'), '{Enter}');
  await press(user, 'Load the new values');
  await waitFor(() => expect(field('Support hours')).toHaveValue('Mondays'));
  const other = await conflict('Tuesdays');
  await press(other, 'Save my values');
  await screen.findByText('Site settings updated successfully');
  expect((await read()).supportHours).toBe(ours);
});

it('says that SEO settings were not saved, and keeps what was typed', async () => {
  const user = await openSettings('/seo');
  await fill(user, field('Meta title'), 'Never saved');
  intercept(/\/api\/admin\/settings\/seo$/, () => Promise.reject(new TypeError('Failed to fetch')));
  await press(user, 'Save');
  await screen.findByText('Failed to update SEO settings');
  expect(field('Meta title')).toHaveValue('Never saved');
});

it('lets viewers read settings, without Save', async () => {
  await openSettings('', await makeAdmin('viewer'));
  await screen.findByText("Your role can view these settings, but can't change them.");
  expect(field('Site name')).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
