/** Roles of administrators, the most powerful first. Other users have none. */
export const roles = ['owner', 'admin', 'editor', 'support', 'viewer'] as const;
export type Role = (typeof roles)[number];

const owners = ['owner'] as const;
const managers = ['owner', 'admin'] as const;

/** The roles that include each permission. Every endpoint of administrators names one of these. */
const rolesOf = {
  /** The numbers of the dashboard and of the analytics, without amounts. */
  'dashboard.read': roles,
  /** The amounts of the dashboard and of the analytics. */
  'revenue.read': [...managers, 'viewer'],
  'users.read': [...managers, 'support', 'viewer'],
  /** Email addresses in full. Without it, they are masked. */
  'users.emails': [...managers, 'support'],
  /** Inviting users without a role, suspending, setting tiers, and turning off two-factor authentication. */
  'users.manage': managers,
  /** Seeing the web app as a user sees it. */
  'users.view_as': [...managers, 'support'],
  'grants.create': [...managers, 'support'],
  /** Changing roles, inviting people with a role, and listing the administrators. */
  'roles.manage': owners,
  /** The mail server and the sender: who receives the emails of an owner can reset the password. */
  'mail.manage': owners,
  /** The security settings. */
  'security.manage': owners,
  /** The API keys of all accounts, and service keys. */
  'keys.manage': managers,
  /** The access log and the audit log. */
  'logs.read': managers,
  /** Acknowledging anomalies. */
  'anomalies.manage': managers,
  'jobs.read': [...managers, 'support', 'viewer'],
  'jobs.retry': [...managers, 'support'],
  /** Requeuing and canceling jobs, pausing engines, and draining workers. */
  'jobs.operate': managers,
  'payments.read': [...managers, 'support', 'viewer'],
  'payments.manage': managers,
  /** Inquiries of people without an account. */
  'leads.read': [...managers, 'support'],
  /** Messages of the contact form, inquiries, and applications. */
  'inbox.manage': [...managers, 'support'],
  /** Articles, their drafts, and what was published. */
  'content.read': [...managers, 'editor', 'viewer'],
  'content.manage': [...managers, 'editor'],
  /** The media library. */
  'media.read': [...managers, 'editor', 'viewer'],
  'media.manage': [...managers, 'editor'],
  /** Sending, scheduling, pausing, and canceling campaigns of the newsletter. */
  'newsletter.send': managers,
  /** Publishing the terms of service and the privacy policy. */
  'legal.publish': managers,
  /** Services, probes, and incidents of the status page. */
  'incidents.read': [...managers, 'support', 'viewer'],
  'incidents.manage': [...managers, 'support'],
  'settings.read': [...managers, 'viewer'],
  'settings.manage': managers,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof rolesOf;
export const permissions = Object.keys(rolesOf) as Permission[];

/** Whether a role includes a permission. */
export const hasPermission = (role: Role | null, permission: Permission): boolean =>
  role !== null && (rolesOf[permission] as readonly Role[]).includes(role);

/** What inviting a person with this role, or without one, requires. The same holds for resending and revoking. */
export const invitePermission = (role: Role | null): Permission => (role === null ? 'users.manage' : 'roles.manage');

/** The permissions of a role, in the order of the table. */
export const permissionsOf = (role: Role | null): Permission[] =>
  permissions.filter((permission) => hasPermission(role, permission));

const ranks: Record<Role, number> = { owner: 3, admin: 2, editor: 1, support: 1, viewer: 1 };

/** Whether a role is above another. Any role is above none. */
export const isAbove = (role: Role | null, other: Role | null): boolean => rankOf(role) > rankOf(other);
const rankOf = (role: Role | null) => (role === null ? 0 : ranks[role]);

/** Most credits that an administrator of this role can grant per day (UTC). */
export const grantsPerDay: Partial<Record<Role, number>> = { support: 100 };
