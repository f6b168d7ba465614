import type { Permission } from '@uprez/contracts/policy/permissions';
import type { TwoFactorState } from '@uprez/contracts/policy/tables';
import { pluralize } from '@uprez/contracts/texts/format';

const twoFactor: Record<TwoFactorState, string> = { on: 'On', off: 'Off' };

/** Texts of the roles and of the administrators. */
export const permissionMessages = {
  title: 'Permissions',
  subtitle: 'What each role may do, and who has it',
  invite: 'Invite',
  matrix: {
    title: 'Roles',
    caption: 'Permissions of each role',
    permission: 'Permission',
    yes: 'Yes',
    no: 'No',
    perDay: (credits: number) => `${pluralize(credits, 'credit')} per day`,
    names: {
      'dashboard.read': 'View the dashboard and analytics',
      'revenue.read': 'View revenue',
      'users.read': 'View users',
      'users.emails': 'View full email addresses',
      'users.manage': 'Invite and suspend users, change plans, and turn off two-factor authentication',
      'users.view_as': 'View an account as its user',
      'grants.create': 'Grant credits',
      'roles.manage': 'Change roles',
      'security.manage': 'Change security settings, and review unusual activity',
      'keys.manage': 'Manage API keys of all accounts, and service keys',
      'logs.read': 'View access logs and the audit log',
      'jobs.read': 'View jobs',
      'jobs.retry': 'Retry jobs',
      'jobs.operate': 'Requeue and cancel jobs, pause engines, and drain workers',
      'payments.read': 'View payments',
      'payments.manage': 'Refund payments, and change coupons, prices, and subscriptions',
      'leads.read': 'View enterprise leads',
      'settings.read': 'View website settings',
      'settings.manage': 'Change website settings',
    } satisfies Record<Permission, string>,
  },
  staff: {
    title: 'Administrators',
    search: 'Search by name or email',
    filters: {
      twoFactor: {
        label: 'Two-factor authentication',
        all: 'Two-factor: all',
        names: { on: 'Two-factor on', off: 'Two-factor off' },
      },
    },
    person: 'Administrator',
    role: 'Role',
    seen: 'Last Seen',
    twoFactor: 'Two-factor',
    twoFactorStates: twoFactor,
    joined: 'Joined',
    never: 'Never',
    empty: { title: 'No administrators', text: 'Invite a person to give them a role.' },
  },
} as const;
