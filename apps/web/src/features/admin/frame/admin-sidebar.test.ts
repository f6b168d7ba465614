import { type Permission, permissionsOf, roles } from '@uprez/contracts/policy/admin/permissions';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { paths } from '../../../site-map.ts';
import { AdminSidebar } from './admin-frame.tsx';
import { entriesFor, pagePermissions } from './admin-links.ts';

const owner = permissionsOf('owner');

/** The sidebar at a path. */
const render = (path: string, permissions: readonly Permission[] = owner) =>
  renderToStaticMarkup(
    createElement(MemoryRouter, { initialEntries: [path] }, createElement(AdminSidebar, { permissions })),
  );
const textsOf = (markup: string, pattern: RegExp) =>
  [...markup.matchAll(pattern)].map(([, label = '']) => label.replace(/<[^>]+>/g, ''));
/** The highlighted entries: links, and the titles of groups. */
const currentEntries = (path: string) =>
  textsOf(
    render(path),
    /<div class="grid gap-0.5"><(?:a|button)[^>]*aria-current="(?:page|true)"[^>]*>(.*?)<\/(?:a|button)>/g,
  );
/** The highlighted links of entries. */
const currentLinks = (path: string) =>
  textsOf(render(path), /<li><a[^>]*aria-current="(?:page|true)"[^>]*>(.*?)<\/a>/g);
const linksOf = (permissions: readonly Permission[]) =>
  [...render('/admin', permissions).matchAll(/<a[^>]*href="([^"]*)"/g)].map(([, href]) => href);

it('highlights one entry and one link of it, for each link', () => {
  for (const { links, to } of entriesFor(owner))
    for (const path of [...(to ? [to] : []), ...links.map((link) => link.to)]) {
      expect(currentEntries(path), path).toHaveLength(1);
      expect(currentLinks(path).length, path).toBeLessThanOrEqual(1);
    }
  expect(currentEntries('/admin/blog?tab=categories')).toEqual(['Posts']);
  expect([currentEntries('/admin'), currentLinks('/admin')]).toEqual([['Dashboard'], []]);
  expect([currentEntries('/admin/users'), currentLinks('/admin/users')]).toEqual([['Users'], []]);
  expect([currentEntries('/admin/settings'), currentLinks('/admin/settings')]).toEqual([
    ['Website'],
    ['General Settings'],
  ]);
  expect(currentEntries('/admin/users/new')).toEqual(['Users']);
  expect(currentEntries('/admin/payments/coupons')).toEqual(['Payments']);
  expect(currentEntries('/admin/other')).toEqual([]);
});

it('highlights the entry of the list on pages of single rows', () => {
  const id = '0198c0de-0000-7000-8000-000000000000';
  for (const [path, entry] of [
    [`/admin/blog/${id}`, 'Posts'],
    [`/admin/media/${id}`, 'Media'],
    [`/admin/users/${id}`, 'Users'],
    [`/admin/inbox/${id}`, 'Inbox'],
    [`/admin/newsletter/campaigns/${id}`, 'Content'],
    [`/admin/jobs/${id}`, 'Operations'],
  ] as const)
    expect(currentEntries(path), path).toEqual([entry]);
  expect(currentEntries('/admin/settings/history/seo')).toEqual(['Website']);
  const link = /<a aria-current="true"[^>]*>(.*?)<\/a>/g;
  expect(textsOf(render(`/admin/newsletter/campaigns/${id}`), link)).toEqual(['Newsletter']);
});

it('lists the entries in the order of the specification', () => {
  expect(textsOf(render('/admin'), /<(?:button|a) [^>]*>(.*?)<\/(?:button|a)>/g)).toEqual([
    'Dashboard',
    'Posts',
    'All Posts',
    'Add New',
    'Categories',
    'Media',
    'Library',
    'Upload New',
    'Users',
    'All Users',
    'Add New',
    'Profile',
    'Analytics',
    'Overview',
    'Reports',
    'Usage Stats',
    'Payments',
    'Subscriptions',
    'Transactions',
    'Coupons',
    'Enterprise leads',
    'Prices',
    'Webhook inbox',
    'Security',
    'API Keys',
    'Access Logs',
    'Permissions',
    'Security Settings',
    'Website',
    'General Settings',
    'SEO Settings',
    'Email Settings',
    'Settings',
    'Inbox',
    'Content',
    'Pages',
    'Help',
    'Newsletter',
    'Subscribers',
    'Operations',
    'Jobs',
    'Incidents',
    'Probe log',
    'Audit',
    'New Post',
    'Add User',
    'View Site(opens in a new tab)',
  ]);
});

it('links only to pages that a role may open', () => {
  for (const role of roles) {
    const permissions = permissionsOf(role);
    for (const href of linksOf(permissions)) {
      if (href === paths.home) continue;
      const [page] = href?.split('?') ?? [];
      expect(permissions).toContain(pagePermissions[page as keyof typeof pagePermissions]);
    }
  }
  expect(linksOf(permissionsOf('editor'))).toEqual([
    '/admin',
    '/admin/blog',
    '/admin/blog?new=true',
    '/admin/blog?tab=categories',
    '/admin/media',
    '/admin/media/upload',
    '/admin/profile',
    '/admin/analytics',
    '/admin/analytics/reports',
    '/admin/analytics/usage',
    '/admin/pages',
    '/admin/help',
    '/admin/newsletter',
    '/admin/newsletter/subscribers',
    '/admin/blog?new=true',
    '/',
  ]);
  expect(linksOf(permissionsOf('viewer'))).not.toContain('/admin/payments/leads');
  expect(linksOf(permissionsOf('viewer'))).toContain('/admin/blog');
  expect(linksOf(permissionsOf('viewer'))).not.toContain('/admin/blog?new=true');
});

it('marks one of several links to the same page', () => {
  const current = (path: string) => textsOf(render(path), /<a aria-current="page"[^>]*>(.*?)<\/a>/g);
  expect(current('/admin/blog')).toEqual(['All Posts']);
  expect(current('/admin/blog?search=a&tab=categories')).toEqual(['Categories']);
  expect(current('/admin/blog?new=true')).toEqual(['Add New']);
  expect(textsOf(render('/admin/blog/new'), /<a aria-current="true"[^>]*>(.*?)<\/a>/g)).toEqual(['Add New']);
});

it('opens the links of the current entry only', () => {
  const shownLists = (path: string) => textsOf(render(path), /<ul id="[^"]*" aria-label="([^"]*)" class/g);
  expect(shownLists('/admin/payments/coupons')).toEqual(['Payments']);
  expect(shownLists('/admin/audit')).toEqual(['Operations']);
  expect(shownLists('/admin/inbox')).toEqual([]);
  expect(shownLists('/admin')).toEqual([]);
  expect(shownLists('/admin/users')).toEqual(['Users']);
  const entries = [...render('/admin/audit').matchAll(/<div class="grid gap-0.5">/g)];
  expect(entries.length).toBeLessThanOrEqual(12);
});
