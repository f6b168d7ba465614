import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeAccount, openPage, readPath } from '../../../test/component/open-page.tsx';
import { router } from '../../app/router.tsx';
import { useTheme } from '../theme/theme-switch.tsx';

const openPalette = async (user: UserEvent) => {
  await user.keyboard('{Control>}k{/Control}');
  return screen.findByRole('dialog', { name: 'Search pages and actions' });
};
const isSelected = (name: string) => screen.findByRole('option', { name, selected: true });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

it('opens a page by name in the command palette and focuses its heading', async () => {
  onTestFinished(() => void useTheme.setState({ choice: 'system' }));
  const user = await openPage('/', await makeAccount());
  await screen.findByRole('heading', { level: 1 });
  const palette = await openPalette(user);
  await user.keyboard('account');
  await isSelected('Account');
  const count = within(palette).getByRole('status');
  expect(count).toHaveTextContent(/^\d+ results?$/);
  await user.keyboard('zzz');
  await waitFor(() => expect(count).toHaveTextContent(/^No results$/));
  await user.keyboard('{Backspace}{Backspace}{Backspace}');
  await isSelected('Account');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(readPath()).toBe('/account'));
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  await openPalette(user);
  await user.keyboard('dark');
  await isSelected('Dark');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
});

it('keeps what was typed in the command palette when a page opens behind it', async () => {
  const user = await openPage('/', await makeAccount());
  await user.click((await screen.findAllByRole('link', { name: 'Dashboard' }))[0] as HTMLElement);
  await waitFor(() => expect(readPath()).toBe('/dashboard'));
  await openPalette(user);
  await user.keyboard('dar');
  await act(() => router.navigate(-1));
  await waitFor(() => expect(readPath()).toBe('/'));
  await screen.findByRole('heading', { level: 1, hidden: true });
  await user.keyboard('k');
  expect(screen.getByRole('combobox', { name: 'Search pages and actions' })).toHaveValue('dark');
});

it('disables shortcuts while typing', async () => {
  const user = await openPage('/auth');
  const email = await screen.findByLabelText('Email');
  email.focus();
  await user.keyboard('gh?');
  expect(email).toHaveValue('gh?');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(readPath()).toBe('/auth');
  screen.getByRole('heading', { level: 1 }).focus();
  await user.keyboard('gh');
  await waitFor(() => expect(readPath()).toBe('/'));
});

it('opens the list of shortcuts with the button in the footer', async () => {
  const user = await openPage('/');
  await user.click(await screen.findByRole('button', { name: /Keyboard shortcuts/ }));
  const list = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  within(list).getByText('Hold to show original');
  await user.keyboard('{Escape}');
  await isGone();
});

it('detects a canceled file dialog after 300 ms', async () => {
  const user = await openPage('/dashboard', await makeAccount());
  const area = () => document.querySelector('[data-state="dialog"]');
  await user.click(await screen.findByRole('button', { name: /Choose images/ }));
  await waitFor(() => expect(area()).not.toBeNull());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  fireEvent.focus(window);
  act(() => void vi.advanceTimersByTime(250));
  expect(area()).not.toBeNull();
  act(() => void vi.advanceTimersByTime(100));
  expect(area()).toBeNull();
});
