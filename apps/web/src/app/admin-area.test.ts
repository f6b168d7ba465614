import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { permissionsOf, type Role } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Auth, AuthContext } from '../features/session/auth-provider.tsx';
import { userKey } from '../lib/api/queries.ts';
import { fetchByQueryKey } from '../lib/api/query-client.ts';
import { useToasts } from '../lib/notifications/toast-store.ts';
import { AdminArea, redirectEndedSession, redirectVisitor } from './admin-area.tsx';

// The pages that are rendered below load in the background. Their imports must not outlive the test.
afterAll(() =>
  Promise.all([
    import('../features/admin/dashboard/dashboard-page.tsx'),
    import('../features/admin/payments/subscriptions-page.tsx'),
    import('../features/admin/payments/transactions-page.tsx'),
  ]),
);

const userWith = (role: Role | null) => ({ isAdmin: role !== null, role, permissions: permissionsOf(role) }) as User;

/** The page at a path before its effects run. Pages that are still loading show a spinner. */
function render(path: string, user: User | null): string {
  const queryClient = new QueryClient({ defaultOptions: { queries: { queryFn: fetchByQueryKey } } });
  queryClient.setQueryData(userKey, user);
  const auth = { user, logout: { isPending: false, isSuccess: false } } as Auth;
  const area = createElement(Route, { path: '/admin/*', element: createElement(AdminArea) });
  const routes = createElement(MemoryRouter, { initialEntries: [path] }, createElement(Routes, null, area));
  const client = createElement(QueryClientProvider, { client: queryClient }, routes);
  return renderToStaticMarkup(createElement(AuthContext, { value: auth }, client));
}

const hasFrame = (markup: string) => markup.includes('Admin Panel');
const isLoading = (markup: string) => markup.includes('Loading');
const isDenied = (markup: string) => markup.includes('Access Denied');

it('loads the pages of a role in the frame', () => {
  for (const path of ['/admin', '/admin/payments', '/admin/payments/transactions']) {
    const markup = render(path, userWith('owner'));
    expect([hasFrame(markup), isLoading(markup), isDenied(markup)], path).toEqual([true, true, false]);
  }
});

it('denies pages without the permission, in the frame', () => {
  const pages = { '/admin/payments': 'editor', '/admin/payments/leads': 'viewer' } as const;
  for (const [path, role] of Object.entries(pages)) {
    const markup = render(path, userWith(role));
    expect([isDenied(markup), hasFrame(markup)], path).toEqual([true, true]);
  }
  const markup = render('/admin/payments/leads', userWith('viewer'));
  expect(markup).toContain('Your role, Viewer, ');
  expect(markup).toContain('include this page. Ask an owner for access.');
  expect(markup).toMatch(/<a[^>]*href="\/admin"[^>]*>Go to the dashboard<\/a>/);
});

it('denies users without a role, and redirects them from the dashboard', () => {
  const denied = render('/admin/payments', userWith(null));
  expect([isDenied(denied), hasFrame(denied)]).toEqual([true, false]);
  expect(denied).toContain('You need admin privileges to access this page.');
  const dashboard = render('/admin', userWith(null));
  expect([isLoading(dashboard), isDenied(dashboard), hasFrame(dashboard)]).toEqual([true, false, false]);
});

it('renders nothing at a path that ends with a slash before the redirect', () => {
  for (const user of [userWith('owner'), userWith(null), null]) expect(render('/admin/', user)).toBe('');
});

it('shows visitors nothing before the redirect', () => {
  const markup = render('/admin/payments', null);
  expect([isLoading(markup), hasFrame(markup)]).toEqual([true, false]);
});

it('shows that a page does not exist', () => {
  expect(render('/admin/other', userWith('owner'))).toContain('404 Page Not Found');
});

const assign = vi.fn();
const openPage = (pathname: string, search = '') =>
  vi.stubGlobal('window', { location: { pathname, search, hash: '', assign } });

beforeEach(() => {
  vi.useFakeTimers();
  assign.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The toast, and the page that is opened after exactly 500 ms. */
function waitForPage() {
  vi.advanceTimersByTime(499);
  expect(assign).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  const { title, description, destructive } = useToasts.getState().toasts[0] ?? {};
  return { toast: [title, description, destructive], url: assign.mock.calls[0]?.[0] };
}

it('asks visitors to sign in, and leads back to the page', () => {
  openPage('/admin/payments', '?status=active');
  redirectVisitor();
  expect(waitForPage()).toEqual({
    toast: ['Unauthorized', 'Please log in to access the admin dashboard.', true],
    url: `/auth?next=${encodeURIComponent('/admin/payments?status=active')}`,
  });
});

it('says on the dashboard that the session expired', () => {
  openPage('/admin');
  redirectEndedSession();
  expect(waitForPage()).toEqual({
    toast: ['Unauthorized', 'Session expired. Redirecting to login...', true],
    url: `/api/login?next=${encodeURIComponent('/admin')}`,
  });
});

it('says on other pages that the user is logged out', () => {
  openPage('/admin/payments');
  redirectEndedSession();
  expect(waitForPage()).toEqual({
    toast: ['Unauthorized', 'You are logged out. Logging in again...', true],
    url: `/api/login?next=${encodeURIComponent('/admin/payments')}`,
  });
});

it('stays on the page when it is canceled in time', () => {
  openPage('/admin');
  redirectVisitor()();
  redirectEndedSession()();
  vi.advanceTimersByTime(1_000);
  expect(assign).not.toHaveBeenCalled();
});
