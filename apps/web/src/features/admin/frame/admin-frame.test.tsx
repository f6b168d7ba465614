import { screen, waitFor } from '@testing-library/react';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it, onTestFinished, vi } from 'vitest';
import { press, textsOf } from '../../../../test/component/admin-page.ts';
import { fill, makeAdmin, openPage, readPath } from '../../../../test/component/open-page.tsx';

// The sidebar is hidden by a class that the stylesheet of large screens overrides.
const admin = fileFixture(makeAdmin);

it('removes a slash from the end of the path, and marks the current page in the sidebar', async () => {
  await openPage('/admin/?tier=free', admin);
  await waitFor(() => expect(readPath()).toBe('/admin?tier=free'));
  const sidebar = await screen.findByRole('navigation', { name: 'Admin Panel', hidden: true });
  expect(textsOf(sidebar.querySelectorAll('[aria-current]'))).toEqual(['Dashboard']);
});

it('opens pages and users from the palette', async () => {
  const user = await openPage('/admin', admin);
  await press(user, 'Find a page');
  await user.click(await screen.findByRole('option', { name: 'Payments: Coupons' }));
  await waitFor(() => expect(readPath()).toBe('/admin/payments/coupons'));
  const search = async (text: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await fill(user, await screen.findByRole('combobox', { name: 'Search pages and actions' }), text);
  };
  await search(admin.email);
  await user.click(await screen.findByRole('option', { name: /^User: / }));
  await waitFor(() => expect(readPath()).toBe(`/admin/users/${admin.user.id}`));
  await search('Users: Add New');
  await user.click(await screen.findByRole('option', { name: 'Users: Add New' }));
  await screen.findByRole('heading', { level: 1, name: 'Add New User' });
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  onTestFinished(() => open.mockRestore());
  await search('View Site');
  await user.click(await screen.findByRole('option', { name: 'View Site' }));
  expect(open).toHaveBeenCalledExactlyOnceWith('/', '_blank', 'noopener');
});

it('opens the site in a new tab from the quick actions', async () => {
  await openPage('/admin', admin);
  const link = await screen.findByRole('link', { name: /^View Site/, hidden: true });
  expect(link).toHaveAttribute('href', '/');
  expect(link).toHaveAttribute('target', '_blank');
});
