import { expect, it } from 'vitest';
import * as z from 'zod';
import { permissions } from '../policy/permissions.ts';
import { defineAdminEndpoints, type Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { type RouteName, routes } from './routes.ts';

const answers = { 200: z.null() };
const names = Object.keys(routes) as RouteName[];

it('requires a permission for endpoints of administrators when the code is compiled', () => {
  // @ts-expect-error: no permission
  defineAdminEndpoints({ adminStats: { answers } });
  // @ts-expect-error: a permission that isn't in the table
  defineAdminEndpoints({ adminStats: { permission: 'everything', answers } });
  // @ts-expect-error: no permission
  const endpoint: Endpoint = { auth: 'admin', answers, errors: [] };
  expect(endpoint.auth).toBe('admin');
});

it('names a permission for every endpoint below /api/admin, and uses every permission but those that code checks', () => {
  const below = names.filter((name) => routes[name].path.startsWith('/api/admin/'));
  const used = below.map((name) => (endpoints[name] as Endpoint & { permission?: string }).permission);
  expect(used).not.toContain(undefined);
  const inCode = ['legal.publish', 'revenue.read', 'users.emails'];
  expect([...new Set([...used, ...inCode])].sort()).toEqual([...permissions].sort());
});
