import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { generated } from '../../generate/routes.ts';
import { hasPermission, type Permission, permissions, type Role } from '../policy/admin/permissions.ts';
import { defineAdminEndpoints, type Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { type RouteName, routes } from './routes.ts';

const answers = { 200: z.null() };
const route = 'GET /api/admin/stats';
const names = Object.keys(routes) as RouteName[];

it.each(generated)('$path is up to date (run "npm run generate:routes")', ({ path, make }) => {
  expect(readFileSync(path, 'utf8')).toBe(make());
});

it('requires a permission for endpoints of administrators when the code is compiled', () => {
  // @ts-expect-error: no permission
  defineAdminEndpoints({ adminStats: { route, answers } });
  // @ts-expect-error: a permission that isn't in the table
  defineAdminEndpoints({ adminStats: { route, permission: 'everything', answers } });
  // @ts-expect-error: no permission
  const endpoint: Endpoint = { auth: 'admin', route, answers, errors: [] };
  expect(endpoint.auth).toBe('admin');
});

it('names a permission for every endpoint below /api/admin, and uses every permission but those that code checks', () => {
  const below = names.filter((name) => routes[name].path.startsWith('/api/admin/'));
  const used = below.map((name) => (endpoints[name] as Endpoint & { permission?: string }).permission);
  expect(used).not.toContain(undefined);
  const inCode = ['legal.publish', 'revenue.read', 'users.emails'];
  expect([...new Set([...used, ...inCode])].sort()).toEqual([...permissions].sort());
});

/** The writes below /api/admin that a role may make. */
const writesOf = (role: Role) =>
  names.filter((name) => {
    const { method, path } = routes[name];
    const { permission } = endpoints[name] as Endpoint & { permission: Permission };
    return path.startsWith('/api/admin/') && method !== 'GET' && hasPermission(role, permission);
  });

it('lets viewers write nothing, support only what helps users, and admins all but what makes owners', () => {
  expect(writesOf('viewer')).toEqual([]);
  expect(writesOf('support').sort()).toEqual([
    'adminAddIncidentUpdate',
    'adminAddNote',
    'adminChangeTicket',
    'adminCreateIncident',
    'adminDeleteTicket',
    'adminGrantUnits',
    'adminRemoveOverride',
    'adminReplyToTicket',
    'adminRetryJob',
    'adminScheduleMaintenance',
    'adminSetOverride',
    'adminStartView',
  ]);
  const admin = new Set(writesOf('admin'));
  expect(
    writesOf('owner')
      .filter((name) => !admin.has(name))
      .sort(),
  ).toEqual(['adminSendTestMail', 'adminSetRole', 'putEmailSettings', 'putSecuritySettings']);
});

it('lets editors write articles, files, and the newsletter only', () => {
  const written = /^admin[A-Z][a-z]+(Article|Draft|Revision|Preview|Post|Category|Media|Subscriber|Campaign)$/;
  expect(writesOf('editor').filter((name) => !written.test(name))).toEqual([]);
});
