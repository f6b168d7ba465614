import { permissionsOf } from '@uprez/contracts/policy/admin/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import { expect, it } from 'vitest';
import { matchScore } from './palette-dialog.tsx';
import { listAdminPages, listPages } from './palette-pages.ts';

const user = { isAdmin: false, permissions: [] } as unknown as User;
const owner = { isAdmin: true, permissions: permissionsOf('owner') } as unknown as User;

const find = (search: string, by: User) =>
  [...listPages(by), ...listAdminPages(by)]
    .filter(({ label, keywords = '' }) => matchScore(`${label} ${keywords}`, search) > 0)
    .map(({ to }) => to);

it.each([
  ['refund', '/admin/payments/transactions'],
  ['maintenance', '/admin/status'],
  ['maintenance mode', '/admin/settings'],
  ['two-factor', '/admin/security'],
  ['password', '/admin/security'],
  ['invoice', '/admin/payments/transactions'],
  ['invite', '/admin/users/new'],
  ['workers', '/admin/jobs'],
  ['export', '/admin/analytics/reports'],
  ['tax', '/admin/payments/prices'],
  ['locked', '/admin/security/logs'],
  ['service key', '/admin/security/api-keys'],
  ['dead letter', '/admin/jobs'],
  ['job openings', '/admin/pages'],
])('finds the page of administrators for %j', (search, to) => {
  expect(find(search, owner)).toContain(to);
  expect(find(search, user)).not.toContain(to);
});

it.each([
  ['refund', '/account/billing'],
  ['invoice', '/account/billing'],
  ['tax', '/account/billing'],
  ['two factor', '/account'],
  ['password', '/account'],
  ['export', '/account'],
  ['webhook', '/dashboard?tab=api-keys'],
  ['maintenance', '/status'],
  ['job openings', '/careers'],
])('finds the page of users for %j', (search, to) => {
  expect(find(search, user)).toContain(to);
});
