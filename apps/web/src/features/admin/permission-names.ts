import type { Permission } from '@uprez/contracts/policy/permissions';

/** What each permission lets an administrator do. */
export const permissionNames: Readonly<Record<Permission, string>> = {
  'dashboard.read': 'View the dashboard and analytics',
  'revenue.read': 'View revenue',
  'users.read': 'View users',
  'users.emails': 'View full email addresses',
  'users.manage': 'Invite and suspend users, change plans, and turn off two-factor authentication',
  'users.view_as': 'View an account as its user',
  'grants.create': 'Grant credits',
  'roles.manage': 'Change roles',
  'security.manage': 'Change security settings',
  'anomalies.manage': 'Acknowledge unusual activity',
  'keys.manage': 'Manage API keys of all accounts, and service keys',
  'logs.read': 'View access logs and the audit log',
  'jobs.read': 'View jobs',
  'jobs.retry': 'Retry jobs',
  'jobs.operate': 'Requeue and cancel jobs, pause engines, and drain workers',
  'payments.read': 'View payments',
  'payments.manage': 'Refund payments, and change coupons, prices, and subscriptions',
  'leads.read': 'View leads',
  'inbox.manage': 'Read and answer messages in the inbox',
  'content.read': 'View articles and drafts',
  'content.manage': 'Write, publish, and delete articles',
  'legal.publish': 'Publish legal pages',
  'settings.read': 'View website settings',
  'settings.manage': 'Change website settings',
};
