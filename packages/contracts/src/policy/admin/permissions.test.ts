import { expect, it } from 'vitest';
import { hasPermission, invitePermissionOf, isRoleAbove, permissions, permissionsOf, roles } from './permissions.ts';

it('gives no permission without a role, and all to owners', () => {
  expect(permissionsOf(null)).toEqual([]);
  expect(permissionsOf('owner')).toEqual(permissions);
});

it('lets support help users: see what they see, grant credits, retry jobs', () => {
  expect(permissionsOf('support')).toEqual([
    'dashboard.read',
    'users.read',
    'users.emails',
    'users.view_as',
    'grants.create',
    'jobs.read',
    'jobs.retry',
    'payments.read',
    'leads.read',
    'inbox.manage',
    'incidents.read',
    'incidents.manage',
  ]);
});

it('lets viewers read only, without email addresses', () => {
  expect(permissionsOf('viewer')).toEqual([
    'dashboard.read',
    'revenue.read',
    'users.read',
    'jobs.read',
    'payments.read',
    'content.read',
    'media.read',
    'incidents.read',
    'settings.read',
  ]);
});

it('lets editors write articles, and shows them the dashboard without revenue', () => {
  expect(permissionsOf('editor')).toEqual([
    'dashboard.read',
    'content.read',
    'content.manage',
    'media.read',
    'media.manage',
  ]);
});

it('ranks owners above admins, admins above the other roles, and those above users', () => {
  const above = (role: (typeof roles)[number] | null) => [...roles, null].filter((other) => isRoleAbove(role, other));
  expect(above('owner')).toEqual(['admin', 'editor', 'support', 'viewer', null]);
  expect(above('admin')).toEqual(['editor', 'support', 'viewer', null]);
  for (const role of ['editor', 'support', 'viewer'] as const) expect(above(role)).toEqual([null]);
  expect(above(null)).toEqual([]);
});

it('lets only owners change roles, invite people with a role, and change the email and security settings', () => {
  const admin = permissionsOf('admin');
  expect(permissions.filter((permission) => !admin.includes(permission))).toEqual([
    'roles.manage',
    'mail.manage',
    'security.manage',
  ]);
  expect([null, ...roles].map((role) => hasPermission('admin', invitePermissionOf(role)))).toEqual([
    true,
    ...roles.map(() => false),
  ]);
  for (const role of roles) expect(hasPermission('owner', invitePermissionOf(role))).toBe(true);
});
