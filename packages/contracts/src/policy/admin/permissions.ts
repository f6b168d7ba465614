/** Roles of administrators, most powerful first. Other users have no role. */
export const roles = ['owner', 'admin', 'editor', 'support', 'viewer'] as const;
export type Role = (typeof roles)[number];

const ownerRoles = ['owner'] as const;
const managerRoles = ['owner', 'admin'] as const;

const rolesByPermission = {
  /** Figures of the dashboard and analytics, without monetary amounts. */
  'dashboard.read': roles,
  'revenue.read': [...managerRoles, 'viewer'],
  'users.read': [...managerRoles, 'support', 'viewer'],
  /** Full email addresses. They're masked without this permission. */
  'users.emails': [...managerRoles, 'support'],
  /** Inviting users without a role, suspending, setting tiers, and turning off two-factor authentication. */
  'users.manage': managerRoles,
  'users.view_as': [...managerRoles, 'support'],
  'grants.create': [...managerRoles, 'support'],
  /** Changing roles, inviting people with a role, and listing the administrators. */
  'roles.manage': ownerRoles,
  /** Mail server and sender settings. Anyone who receives an owner's emails can reset their password. */
  'mail.manage': ownerRoles,
  'security.manage': ownerRoles,
  /** The API keys of all accounts, and service keys. */
  'keys.manage': managerRoles,
  'logs.read': managerRoles,
  'anomalies.manage': managerRoles,
  'jobs.read': [...managerRoles, 'support', 'viewer'],
  'jobs.retry': [...managerRoles, 'support'],
  /** Requeuing and canceling jobs, pausing engines, and draining workers. */
  'jobs.operate': managerRoles,
  'payments.read': [...managerRoles, 'support', 'viewer'],
  'payments.manage': managerRoles,
  /** Contact form messages, inquiries, and applications. */
  'leads.read': [...managerRoles, 'support'],
  'inbox.manage': [...managerRoles, 'support'],
  'content.read': [...managerRoles, 'editor', 'viewer'],
  'content.manage': [...managerRoles, 'editor'],
  'media.read': [...managerRoles, 'editor', 'viewer'],
  'media.manage': [...managerRoles, 'editor'],
  /** Sending, scheduling, pausing, and canceling newsletter campaigns. */
  'newsletter.send': managerRoles,
  'legal.publish': managerRoles,
  'incidents.read': [...managerRoles, 'support', 'viewer'],
  'incidents.manage': [...managerRoles, 'support'],
  'settings.read': [...managerRoles, 'viewer'],
  'settings.manage': managerRoles,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof rolesByPermission;
export const permissions = Object.keys(rolesByPermission) as Permission[];

export const hasPermission = (role: Role | null, permission: Permission): boolean =>
  role !== null && (rolesByPermission[permission] as readonly Role[]).includes(role);

/**
 * Returns the permission that inviting a person with this role, or without a role, requires. Resending and revoking the
 * invitation require the same permission.
 */
export const invitePermissionOf = (role: Role | null): Permission => (role === null ? 'users.manage' : 'roles.manage');

/** Returns the permissions of a role, in the order of `permissions`. */
export const permissionsOf = (role: Role | null): Permission[] =>
  permissions.filter((permission) => hasPermission(role, permission));

const ranks: Record<Role, number> = { owner: 3, admin: 2, editor: 1, support: 1, viewer: 1 };

/** Whether a role outranks another. Having any role outranks having none. */
export const isRoleAbove = (role: Role | null, other: Role | null): boolean => rankOf(role) > rankOf(other);
const rankOf = (role: Role | null) => (role === null ? 0 : ranks[role]);

/** Credits that an administrator can grant per day (UTC), by role. Roles without an entry have no limit. */
export const maxGrantsPerDay: Partial<Record<Role, number>> = { support: 100 };

export const roleInSentence: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
  editor: 'an editor',
  support: 'a support agent',
  viewer: 'a viewer',
};
