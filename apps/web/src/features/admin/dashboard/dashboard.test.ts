import { ApiError } from '@uprez/client/api-error';
import type { AdminStats } from '@uprez/contracts/schemas/admin/users';
import { type ComponentProps, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { useToasts } from '../../../lib/notifications/toast-store.ts';
import { TooltipProvider } from '../../../ui/controls/tooltip.tsx';
import { shouldRetryAdminQuery } from '../admin-api.ts';
import { nameOf, UserCell } from '../users/user-cell.tsx';
import { dashboardMessages, listPaymentItems, listSiteItems, StatCards, showTierError } from './dashboard-page.tsx';

const textOf = (markup: string) => markup.replaceAll(/(<[^>]*>)+/g, '|');
const expired = new ApiError({ code: 'not_signed_in', status: 401 }, 'Unauthorized: sign in.');

describe('StatCards', () => {
  const show = (stats: AdminStats | undefined, hasRevenue = true) => {
    const cards = createElement(StatCards, { stats, may: { users: true, payments: true, revenue: hasRevenue } });
    return textOf(renderToStaticMarkup(createElement(MemoryRouter, null, createElement(TooltipProvider, null, cards))));
  };

  it('shows dots while the numbers load', () => {
    expect(show(undefined)).toBe('|Total Users|...|Active Subscriptions|...|Monthly Revenue|...|');
  });

  it('shows counts, and the revenue in dollars', () => {
    const stats = { totalUsers: 1_234, activeSubscriptions: 5, monthlyRevenue: 12.5, totalRevenue: 99, mrr: 35 };
    expect(show(stats)).toBe('|Total Users|1,234|Active Subscriptions|5|Monthly Revenue|$12.50|');
  });

  it('shows 0 for a missing number, and no revenue without the permission', () => {
    const stats = { totalUsers: 0, activeSubscriptions: 0 };
    expect(show(stats)).toBe('|Total Users|0|Active Subscriptions|0|Monthly Revenue|$0|');
    expect(show(stats, false)).toBe('|Total Users|0|Active Subscriptions|0|');
  });

  it('adds the total and the recurring revenue', () => {
    expect(dashboardMessages.stats.revenue(99, 35.5)).toBe('Total revenue: $99. Monthly recurring revenue: $35.50.');
  });
});

describe('UserCell', () => {
  const ada = {
    id: '7',
    role: null,
    firstName: 'Ada',
    lastName: null,
    email: 'ada@example.test',
    isAdmin: false,
    suspendedAt: null,
  };

  const show = (user: ComponentProps<typeof UserCell>['user'], nameless?: string) =>
    renderToStaticMarkup(
      createElement(MemoryRouter, null, createElement(UserCell, { user, ...(nameless && { nameless }) })),
    );

  it('shows the name and the email address, with a crown for administrators', () => {
    expect(textOf(show(ada))).toBe('|Ada|ada@example.test|');
    expect(show(ada)).not.toContain('Administrator');
    expect(show(ada)).toContain('href="/admin/users/7"');
    expect(show({ ...ada, isAdmin: true })).toContain('aria-label="Administrator"');
    expect(show({ ...ada, isAdmin: true, role: 'support' })).toContain('aria-label="Administrator (Support)"');
    expect(show({ ...ada, firstName: '<b>Ada</b>' })).toContain('&lt;b&gt;Ada&lt;/b&gt;');
  });

  it('names users without names', () => {
    const nobody = { ...ada, firstName: '', lastName: null };
    expect(nameOf({ ...ada, lastName: 'Lovelace' })).toBe('Ada Lovelace');
    expect(nameOf(nobody)).toBe(ada.email);
    expect(textOf(show(nobody))).toBe(`|${ada.email}|`);
    expect(textOf(show(nobody, 'Anonymous User'))).toBe(`|Anonymous User|${ada.email}|`);
  });
});

describe('listPaymentItems', () => {
  const customer = {
    customerId: 'cus_1',
    account: null,
    failures: 1,
    error: null,
    retryAt: '2026-11-24T00:00:00.000Z',
  };

  it('lists what needs an administrator, with the page of its rows', () => {
    expect(listPaymentItems({ failing: [], doubled: [] })).toEqual([]);
    const doubled = [{ account: null, subscriptionIds: ['sub_1', 'sub_2'] }];
    expect(listPaymentItems({ failing: [customer, customer], doubled })).toEqual([
      { label: "2 customers couldn't be synced with Stripe", to: '/admin/payments/inbox' },
      { label: '1 account with more than one subscription', to: '/admin/payments/inbox' },
    ]);
  });
});

describe('listSiteItems', () => {
  it('lists tickets, unusual events, emails that were not sent, failing webhooks, and jobs, with their pages', () => {
    expect(listSiteItems({ anomalies: null, mails: null, webhooks: null, jobs: null, tickets: null })).toEqual([]);
    const noMails = { failed: 0, overdue: 0 };
    const none = {
      ...{ anomalies: 0, mails: noMails, webhooks: { failing: 0, disabled: 0 }, jobs: { stuck: 0, dead: 0 } },
      tickets: { open: 0, overdue: 0 },
    };
    expect(listSiteItems(none)).toEqual([]);
    const mails = { failed: 2, overdue: 1 };
    const counts = {
      ...{ anomalies: 1, mails, webhooks: { failing: 1, disabled: 2 }, jobs: { stuck: 1, dead: 2 } },
      tickets: { open: 2, overdue: 1 },
    };
    expect(listSiteItems(counts)).toEqual([
      { label: '2 open tickets in the inbox', to: '/admin/inbox?state=open' },
      { label: '1 ticket is overdue', to: '/admin/inbox?state=overdue' },
      { label: '1 unusual event to review', to: '/admin/security/logs' },
      { label: "2 emails couldn't be sent in the last 24 hours", to: '/admin/settings/email' },
      {
        label: '1 email has been waiting for more than 15 minutes. Check the mail server.',
        to: '/admin/settings/email',
      },
      { label: '1 webhook endpoint has been failing for more than an hour', to: '/admin/users?status=webhooks' },
      {
        label: '2 webhook endpoints were disabled in the last 7 days because deliveries failed',
        to: '/admin/users?status=webhooks',
      },
      { label: '1 stuck job', to: '/admin/jobs?view=stuck#list' },
      {
        label: '2 jobs failed with a processing error in the last 24 hours',
        to: '/admin/jobs?view=dead_today#list',
      },
    ]);
  });
});

describe('shouldRetryAdminQuery', () => {
  it('repeats a query three times, but not without the session or the permission', () => {
    expect([0, 1, 2, 3].map((failures) => shouldRetryAdminQuery(failures, new Error('offline')))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(shouldRetryAdminQuery(0, expired)).toBe(false);
    expect(shouldRetryAdminQuery(0, new ApiError({ code: 'permission_missing', status: 403 }, 'Not allowed.'))).toBe(
      false,
    );
  });
});

describe('showTierError', () => {
  const latestToast = () => useToasts.getState().toasts[0];

  it('shows the message of the server, or that the update failed', () => {
    showTierError(new ApiError({ code: 'role_above_own', status: 403 }, 'Not allowed.'));
    expect(latestToast()).toMatchObject({ title: 'Error', description: 'Not allowed.', destructive: true });
    showTierError(new TypeError('Failed to fetch'));
    expect(latestToast()).toMatchObject({ title: 'Error', description: 'Failed to update subscription' });
  });

  it('leaves an ended session to the frame, and a canceled dialog without a message', () => {
    useToasts.setState({ toasts: [] });
    showTierError(expired);
    showTierError(new ApiError({ code: 'step_up_required', status: 403 }, 'Enter your password.'));
    expect(latestToast()).toBeUndefined();
  });
});
