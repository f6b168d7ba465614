import { permissionsOf, type Role } from '@uprez/contracts/policy/admin/permissions';
import { expect, it } from 'vitest';
import { listActions } from './user-actions.ts';

const by = (role: Role, id = 'me') => ({ id, role, permissions: permissionsOf(role) });
const user = { id: 'user', role: null, suspendedAt: null, emailVerified: false, twoFactorEnabled: true } as const;

it('lists what a role may do for a user', () => {
  const all = ['tier', 'grant', 'role', 'verify', 'sign_out', 'two_factor_off', 'suspend'];
  expect(listActions(by('owner'), user)).toEqual(all);
  expect(listActions(by('admin'), user)).toEqual(all.filter((action) => action !== 'role'));
  expect(listActions(by('support'), user)).toEqual(['grant']);
  expect(listActions(by('viewer'), user)).toEqual([]);
});

it('leaves out what the state of the user excludes', () => {
  const confirmed = { ...user, suspendedAt: '2026-11-24T00:00:00.000Z', emailVerified: true, twoFactorEnabled: false };
  expect(listActions(by('owner'), confirmed)).toEqual(['tier', 'grant', 'role', 'sign_out', 'restore']);
});

it('leaves out what nobody does to their own account, or to an administrator above', () => {
  expect(listActions(by('owner', 'user'), { ...user, role: 'owner' })).toEqual(['verify']);
  expect(listActions(by('admin', 'user'), { ...user, role: 'admin' })).toEqual(['verify']);
  expect(listActions(by('admin'), { ...user, role: 'owner' })).toEqual([]);
});
