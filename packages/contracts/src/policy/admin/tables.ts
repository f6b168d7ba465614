import { tiers } from '../plans/plans.ts';

/**
 * Columns of the tables of administrators, in order. The first one names the row, and is always shown and exported. Exports
 * contain the columns that are shown.
 */
export const tableColumns = {
  users: ['user', 'subscription', 'images', 'calls', 'joined'],
  subscriptions: ['account', 'plan', 'status', 'amount', 'renewal', 'created'],
  transactions: ['account', 'status', 'amount', 'invoice', 'method', 'created'],
  stripeEvents: ['event', 'account', 'about', 'status', 'received'],
  coupons: ['coupon', 'discount', 'status', 'uses', 'plans', 'expires', 'created'],
  leads: ['lead', 'volume', 'status', 'created'],
  userJobs: ['file', 'status', 'engine', 'error', 'charged', 'created'],
  audits: ['action', 'actor', 'subject', 'changes', 'reason', 'source', 'time'],
  apiKeys: ['name', 'owner', 'preview', 'status', 'usage', 'used', 'created'],
  accessLog: ['event', 'account', 'address', 'request', 'status', 'at'],
  staff: ['person', 'role', 'seen', 'twoFactor', 'joined'],
  tickets: ['ticket', 'sender', 'state', 'assignee', 'due', 'created'],
  articles: ['title', 'status', 'author', 'categories', 'published', 'updated'],
  media: ['file', 'type', 'size', 'uses', 'uploader', 'uploaded'],
  incidents: ['incident', 'status', 'severity', 'services', 'started', 'ended'],
  probes: ['service', 'state', 'duration', 'detail', 'checked'],
  subscribers: ['subscriber', 'state', 'topics', 'source', 'confirmed', 'created'],
  campaigns: ['campaign', 'state', 'recipients', 'sent', 'failed', 'starts', 'created'],
  jobs: ['job', 'account', 'status', 'engine', 'attempts', 'created', 'finished'],
} as const;
export type TableName = keyof typeof tableColumns;
export type ColumnOf<Name extends TableName> = (typeof tableColumns)[Name][number];

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `webhooks`: with a webhook endpoint that is failing, or was disabled because deliveries failed. */
export const userStatuses = ['active', 'suspended', 'verified', 'unverified', 'admin', 'webhooks'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Sort orders of the users. A minus means descending. The first one is the default. Images and calls are of this month. */
export const userSorts = ['-created', 'created', '-images', 'images', '-calls', 'calls'] as const;
export type UserSort = (typeof userSorts)[number];

/** Sort orders of the jobs of a user. */
export const userJobSorts = ['-created', 'created'] as const;
export type UserJobSort = (typeof userJobSorts)[number];
/** `unused`: active, and without a call for a long time. */
export const apiKeyStatuses = ['active', 'inactive', 'expired', 'unused'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** Sort orders of all API keys. A minus means descending. The first one is the default. Keys without a call are oldest. */
export const apiKeySorts = ['-created', 'created', '-usage', 'usage', '-used', 'used'] as const;
export type ApiKeySort = (typeof apiKeySorts)[number];

export const twoFactorStates = ['on', 'off'] as const;
export type TwoFactorState = (typeof twoFactorStates)[number];

/** Sort orders of the administrators. A minus means descending. The first one is the default. */
export const staffSorts = ['-seen', 'seen', '-joined', 'joined'] as const;
export type StaffSort = (typeof staffSorts)[number];
export const jobSorts = ['-created', 'created'] as const;
export type JobSort = (typeof jobSorts)[number];
/**
 * Lists of jobs. `dead`: ended by a processing error. `today`: in the last 24 hours. `just_started`: attempts of the last
 * minute. `ended`, `delivered`: images that analytics count as ended and as delivered. `sandbox`: test jobs of the API, which
 * are in no other list.
 */
export const jobViews = [
  'stuck',
  'dead',
  'dead_today',
  'finished_today',
  'just_started',
  'ended',
  'delivered',
  'sandbox',
] as const;
export type JobView = (typeof jobViews)[number];
/** Where a job was created. */
export const jobSurfaces = ['web', 'api'] as const;
export type JobSurface = (typeof jobSurfaces)[number];
/** Plans by which jobs are listed. Visitors have none. */
export const jobTiers = [...tiers, 'visitor'] as const;
export type JobTier = (typeof jobTiers)[number];
