import { type Permission, permissionsOf, roles } from '@uprez/contracts/policy/permissions';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { paths } from '../../../site-map.ts';
import { entriesFor, pagePermissions } from './admin-links.ts';
import { AdminSidebar } from './admin-sidebar.tsx';

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
  textsOf(render(path), /<div class="grid gap-0.5"><(?:a|p)[^>]*aria-current="(?:page|true)"[^>]*>(.*?)<\/(?:a|p)>/g);
const linksOf = (permissions: readonly Permission[]) =>
  [...render('/admin', permissions).matchAll(/<a[^>]*href="([^"]*)"/g)].map(([, href]) => href);

it('highlights the entry of the current page, for each of its links', () => {
  for (const { label, links, to } of entriesFor(owner))
    for (const path of [...(to ? [to] : []), ...links.map((link) => link.to)])
      expect(currentEntries(path), path).toContain(label);
  expect(currentEntries('/admin')).toEqual(['Dashboard', 'Users']);
  expect(currentEntries('/admin/users/new')).toEqual(['Users']);
  expect(currentEntries('/admin/payments/coupons')).toEqual(['Payments']);
  expect(currentEntries('/admin/other')).toEqual([]);
});

it('lists the entries in the order of the specification', () => {
  expect(textsOf(render('/admin'), /<(?:p id|a )[^>]*>(.*?)<\/(?:p|a)>/g)).toEqual([
    'Dashboard',
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
    'Jobs',
    'Audit',
    'Add User',
    'View Site(opens in a new tab)',
  ]);
});

it('links only to pages that a role may open', () => {
  for (const role of roles) {
    const permissions = permissionsOf(role);
    for (const href of linksOf(permissions)) {
      if (href === paths.home) continue;
      expect(permissions).toContain(pagePermissions[href as keyof typeof pagePermissions]);
    }
  }
  expect(linksOf(permissionsOf('editor'))).toEqual([
    '/admin',
    '/admin/profile',
    '/admin/analytics',
    '/admin/analytics/reports',
    '/admin/analytics/usage',
    '/',
  ]);
  expect(linksOf(permissionsOf('viewer'))).not.toContain('/admin/payments/leads');
});
