import { cleanup, render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { connectTo } from '@uprez/testing/open-test-database';
import { makeCookieFetch, type SignedIn, signUp } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { inject, vi } from 'vitest';
import { App } from '../../src/app/app.tsx';
import { router } from '../../src/app/router.tsx';
import { queryClient } from '../../src/lib/api/query-client.ts';
import { dismissToasts } from '../../src/lib/notifications/toast-store.ts';
import { sendOrIntercept } from './intercept.ts';

/** The gateway that all pages call, and its database. */
export const site = inject('site');
export const { db } = connectTo(site.databaseUrl, 2);

// Before pages replace it.
const fetchAbsolute = globalThis.fetch;

/** Signs up a new account with a confirmed email address. */
export async function makeAccount({ tier = 'free' as Tier, emailVerified = true } = {}): Promise<SignedIn> {
  const account = await signUp(site.url);
  await db.updateTable('users').set({ tier, emailVerified }).where('id', '=', account.user.id).execute();
  return account;
}

/** Signs up an account with two-factor authentication. Returns it with its secret and recovery codes. */
export async function makeProtectedAccount() {
  const account = await makeAccount();
  const { password, client } = account;
  const { secret } = (await client.setUpTwoFactor({ body: { password } })).data;
  const { recoveryCodes } = (await client.enableTwoFactor({ body: { code: totpCode(secret) } })).data;
  return { account, secret, codes: recoveryCodes };
}

/** Gives an account a role, or takes it. */
export const setRole = (account: SignedIn, role: Role | null) =>
  db.updateTable('users').set({ role }).where('id', '=', account.user.id).execute();

/** Signs up an administrator. Unless `isConfirmed` is false, the password was just entered, and isn't asked for. */
export async function makeAdmin(role: Role = 'owner', { isConfirmed = true } = {}): Promise<SignedIn> {
  const admin = await makeAccount();
  await setRole(admin, role);
  const steppedUpAt = isConfirmed ? new Date() : null;
  await db.updateTable('sessions').set({ steppedUpAt }).where('userId', '=', admin.user.id).execute();
  return admin;
}

/** Requests the account of an API key. */
export const fetchAccount = (key: string): Promise<Response> =>
  fetchAbsolute(`${site.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });

/**
 * Opens a page of the web app as `account`, or as a visitor. Its requests go to a real gateway.
 * @returns a user who acts on the page
 */
export async function openPage(path: string, account?: Pick<SignedIn, 'fetch'>): Promise<UserEvent> {
  const send = account?.fetch ?? makeCookieFetch();
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    if (!url.startsWith('/')) return fetchAbsolute(url, init);
    const headers = new Headers(init.headers);
    headers.set('origin', site.url);
    return sendOrIntercept(url, () => send(site.url + url, { ...init, headers }));
  });
  cleanup();
  queryClient.clear();
  dismissToasts();
  localStorage.clear();
  sessionStorage.clear();
  await router.navigate(path);
  render(<App />);
  return userEvent.setup();
}

/** The path and the search of the open page. */
export function readPath(): string {
  const { pathname, search } = router.state.location;
  return pathname + search;
}

/** Replaces the value of a field at once: typing it takes a render for each character. */
export async function fill(user: UserEvent, field: HTMLElement, value: string): Promise<void> {
  await user.clear(field);
  if (value === '') return;
  await user.click(field);
  await user.paste(value);
}

/** Chooses an item of the menu behind a button. */
export async function choose(user: UserEvent, button: string, item: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: button }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

/** Everything that the page shows, stores, and caches, as text. */
export function readTraces(): string {
  const caches = [...queryClient.getQueryCache().getAll(), ...queryClient.getMutationCache().getAll()];
  return JSON.stringify([
    document.documentElement.outerHTML,
    { ...localStorage },
    { ...sessionStorage },
    caches.map(({ state, options }) => ({ state, options })),
  ]);
}
