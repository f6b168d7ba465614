import type { TwoFactorState } from '@uprez/contracts/policy/admin/tables';
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
