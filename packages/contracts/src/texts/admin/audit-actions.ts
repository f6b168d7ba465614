import { formatMoney } from '../format.ts';
import { formatField } from './describe-changes.ts';

/** Names of audited actions, by group. `user.role` in the audit log is the action `role` in the group `user`. */
export const auditGroups = {
  user: {
    name: 'Users',
    actions: {
      suspend: 'Suspend user',
      restore: 'Restore user',
      role: 'Change role',
      tier: 'Change plan',
      grant: 'Grant credits',
      two_factor_off: 'Turn off two-factor authentication',
      sign_out: 'Sign out everywhere',
      unlock: 'Unlock sign-in',
      verification: 'Resend confirmation email',
      view_as: 'View as user',
      pool: 'Assign worker pool',
    },
  },
  invitation: {
    name: 'Invitations',
    actions: {
      create: 'Invite user',
      resend: 'Resend invitation',
      revoke: 'Revoke invitation',
      accept: 'Accept invitation',
    },
  },
  settings: {
    name: 'Settings',
    actions: {
      site: 'Change general settings',
      email: 'Change email settings',
      security: 'Change security settings',
      billing: 'Change prices and tax',
      seo: 'Change SEO settings',
      restore: 'Restore settings',
      test_mail: 'Send test email',
    },
  },
  payment: { name: 'Payments', actions: { refund: 'Refund payment' } },
  subscription: { name: 'Subscriptions', actions: { cancel: 'Cancel subscription', retry: 'Retry payment' } },
  billing: { name: 'Stripe', actions: { resync: 'Sync account with Stripe', retry_event: 'Retry Stripe event' } },
  coupon: {
    name: 'Coupons',
    actions: { create: 'Create coupon', disable: 'Disable coupon', enable: 'Enable coupon' },
  },
  api_key: {
    name: 'API keys',
    actions: {
      create: 'Create service key',
      activate: 'Activate API key',
      deactivate: 'Deactivate API key',
      delete: 'Delete API key',
    },
  },
  article: {
    name: 'Articles',
    actions: {
      create: 'Create article',
      edit: 'Edit article',
      publish: 'Publish article',
      schedule: 'Schedule article',
      unpublish: 'Unpublish article',
      withdraw: 'Withdraw legal version',
      delete: 'Delete article',
      restore: 'Restore article',
      preview: 'Create preview link',
      move: 'Move article',
    },
  },
  category: {
    name: 'Categories',
    actions: { create: 'Create category', update: 'Change category', delete: 'Delete category' },
  },
  media: {
    name: 'Media',
    actions: {
      upload: 'Upload file',
      update: 'Change file details',
      replace: 'Replace file',
      retry: 'Retry image versions',
      delete: 'Delete file',
      restore: 'Restore file',
    },
  },
  incident: {
    name: 'Incidents',
    actions: { create: 'Create incident', schedule: 'Schedule maintenance', update: 'Update incident' },
  },
  status: { name: 'Status', actions: { override: 'Override status', override_end: 'End status override' } },
  subscriber: { name: 'Subscribers', actions: { delete: 'Remove subscriber' } },
  campaign: {
    name: 'Campaigns',
    actions: {
      create: 'Create campaign',
      update: 'Change campaign',
      delete: 'Delete campaign',
      test: 'Send test of campaign',
      schedule: 'Schedule campaign',
      send: 'Send campaign',
      pause: 'Pause campaign',
      resume: 'Resume campaign',
      cancel: 'Cancel campaign',
    },
  },
  anomaly: { name: 'Unusual activity', actions: { acknowledge: 'Acknowledge unusual activity' } },
  job: { name: 'Jobs', actions: { retry: 'Retry job', requeue: 'Requeue job', cancel: 'Cancel job' } },
  engine: { name: 'Engines', actions: { pause: 'Pause engine', resume: 'Resume engine' } },
  worker: { name: 'Workers', actions: { drain: 'Drain worker', resume: 'Resume worker' } },
  pool: { name: 'Worker pools', actions: { change: 'Change worker pool', delete: 'Delete worker pool' } },
  lead: { name: 'Leads', actions: { send_link: 'Send checkout link' } },
  ticket: {
    name: 'Inbox',
    actions: {
      reply: 'Reply to ticket',
      note: 'Add note to ticket',
      assign: 'Assign ticket',
      close: 'Close ticket',
      reopen: 'Reopen ticket',
      spam: 'Mark ticket as spam',
      not_spam: 'Mark ticket as not spam',
      delete: 'Delete ticket',
    },
  },
  export: { name: 'Exports', actions: { download: 'Export list' } },
  recovery: {
    name: 'Recovery',
    actions: {
      owner: 'Make owner',
      restore: 'Restore user',
      two_factor_off: 'Turn off two-factor authentication',
      password: 'Set password',
    },
  },
  /** Rejected requests that aren't audited as a more specific action. */
  request: { name: 'Other requests', actions: { send: 'Send request' } },
} as const;

type Groups = typeof auditGroups;
export type AuditGroup = keyof Groups;
export type AuditAction = { [Group in AuditGroup]: `${Group}.${keyof Groups[Group]['actions'] & string}` }[AuditGroup];

export const auditGroupNames = Object.keys(auditGroups) as [AuditGroup, ...AuditGroup[]];

/** Returns the display name of an action. If it has none, returns the action itself. */
export function describeAction(action: string): string {
  const [group = '', name = ''] = action.split('.');
  const groups: Record<string, { actions: Record<string, string> }> = auditGroups;
  return groups[group]?.actions[name] ?? action;
}

/** Names of audit log subjects. The key is the part of the subject before the colon. */
const subjectNames: Record<string, string> = {
  user: 'User',
  invitation: 'Invitation',
  settings: 'Settings',
  payment: 'Payment',
  subscription: 'Subscription',
  stripe_event: 'Stripe event',
  coupon: 'Coupon',
  lead: 'Lead',
  ticket: 'Ticket',
  api_key: 'API key',
  anomaly: 'Unusual activity',
  job: 'Job',
  engine: 'Engine',
  worker: 'Worker',
  pool: 'Worker pool',
  article: 'Article',
  incident: 'Incident',
  status: 'Service',
  category: 'Category',
  media: 'File',
  subscriber: 'Subscriber',
  campaign: 'Campaign',
  export: 'Export',
};

/** Names of settings. In the audit log, settings are identified by a word instead of an ID. */
const settingsNames: Record<string, string> = {
  site: 'General settings',
  email: 'Email settings',
  security: 'Security settings',
  billing: 'Prices and tax',
  seo: 'SEO settings',
};

type Subject = {
  kind: string;
  id: string | null;
  label?: string | null;
  amount?: number | null;
  currency?: string | null;
};

/**
 * Formats an audit log subject: `Payment A1B2-0001 ($7.00)`, `Coupon SUMMER`, `Email settings`, `Export: API keys`.
 * Shows the ID if the subject has no label.
 */
export function describeSubject({ kind, id, label, amount, currency }: Subject): string {
  if (kind === 'settings' && id !== null && Object.hasOwn(settingsNames, id)) return settingsNames[id] ?? id;
  if (kind === 'export' && id !== null) return `${subjectNames.export}: ${formatField('List', id)}`;
  const name = [subjectNames[kind] ?? kind, label ?? id].filter(Boolean).join(' ');
  return typeof amount === 'number' && currency ? `${name} (${formatMoney({ amount, currency })})` : name;
}
