import type { AdminRouteName } from '../../endpoints/routes-admin.ts';
import { auditGroupNames } from '../../texts/admin/audit-actions.ts';
import { articleFilters, articleSorts } from '../articles.ts';
import {
  leadSorts,
  leadStates,
  stripeEventSorts,
  stripeEventStates,
  subscriptionSorts,
  transactionBadges,
  transactionSorts,
} from '../billing/admin-payments.ts';
import { subscriptionStates } from '../billing/billing.ts';
import { couponSorts, couponStates } from '../billing/coupons.ts';
import { engineNames } from '../images/engines.ts';
import { mediaFilters, mediaKinds, mediaSorts } from '../images/media.ts';
import { jobStatuses } from '../job-status.ts';
import {
  campaignKinds,
  campaignSorts,
  campaignStates,
  subscriberSorts,
  subscriberStates,
  topics,
} from '../newsletter.ts';
import { tiers } from '../plans/plans.ts';
import { allKeyKinds } from '../sandbox.ts';
import { incidentFilters, incidentSorts, probeSorts, probeStates, severities, statusServices } from '../status.ts';
import { accessFilters, accessSorts, auditOutcomes, auditSorts, statusClasses } from './logs.ts';
import { roles } from './permissions.ts';
import { assigneeFilters, ticketFilters, ticketKinds, ticketSorts } from './tickets.ts';

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `webhooks`: users with a webhook endpoint that is failing, or that was disabled because deliveries failed. */
export const userStatuses = ['active', 'suspended', 'verified', 'unverified', 'admin', 'webhooks'] as const;
export type UserStatus = (typeof userStatuses)[number];

/**
 * Sort orders of users. A minus means descending. The first order is the default. `images` and `calls`: numbers of the
 * current month.
 */
export const userSorts = ['-created', 'created', '-images', 'images', '-calls', 'calls'] as const;
export type UserSort = (typeof userSorts)[number];

export const userJobSorts = ['-created', 'created'] as const;
export type UserJobSort = (typeof userJobSorts)[number];
/** `unused`: active, but without a call for `limits.apiKeyUnusedDays` days. */
export const apiKeyStatuses = ['active', 'inactive', 'expired', 'unused'] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** `used`: by the time of the most recent call. Keys that have never been called sort as the oldest. */
export const apiKeySorts = ['-created', 'created', '-usage', 'usage', '-used', 'used'] as const;
export type ApiKeySort = (typeof apiKeySorts)[number];

export const twoFactorStates = ['on', 'off'] as const;
export type TwoFactorState = (typeof twoFactorStates)[number];

export const staffSorts = ['-seen', 'seen', '-joined', 'joined'] as const;
export type StaffSort = (typeof staffSorts)[number];
export const jobSorts = ['-created', 'created'] as const;
export type JobSort = (typeof jobSorts)[number];
/**
 * Views of the job list. `stuck`: abandoned by a worker, or waiting although a slot is free. `dead`: failed with a
 * processing error. `dead_today`, `finished_today`: finished in the last 24 hours. `just_started`: an attempt started
 * in the last minute. `ended`, `delivered`: images that analytics count as ended or delivered. `sandbox`: test jobs of
 * the API, which no other view includes.
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
export const jobSurfaces = ['web', 'api'] as const;
export type JobSurface = (typeof jobSurfaces)[number];
/** Visitors have no plan. */
export const jobTiers = [...tiers, 'visitor'] as const;
export type JobTier = (typeof jobTiers)[number];

type Table = {
  list: AdminRouteName;
  exports?: AdminRouteName;
  /**
   * Columns in display order. The first column identifies the row, and is always shown and exported. Exports contain
   * the visible columns.
   */
  columns: readonly string[];
  /** Allowed values of each filter, keyed by query parameter. */
  filters: Readonly<Record<string, readonly string[]>>;
  /** Sort orders. A leading `-` means descending. The first entry is the default. */
  sorts: readonly string[];
};

/** Tables in the administration pages. Their queries, exports, and screens are derived from these definitions. */
export const tables = {
  users: {
    list: 'adminListUsers',
    exports: 'adminExportUsers',
    columns: ['user', 'subscription', 'images', 'calls', 'joined'],
    filters: { status: userStatuses, tier: tiers, role: roles },
    sorts: userSorts,
  },
  subscriptions: {
    list: 'adminListSubscriptions',
    exports: 'adminExportSubscriptions',
    columns: ['account', 'plan', 'status', 'amount', 'renewal', 'created'],
    filters: { status: subscriptionStates, tier: tiers },
    sorts: subscriptionSorts,
  },
  transactions: {
    list: 'adminListTransactions',
    exports: 'adminExportTransactions',
    columns: ['account', 'status', 'amount', 'invoice', 'method', 'created'],
    filters: { status: transactionBadges },
    sorts: transactionSorts,
  },
  stripeEvents: {
    list: 'adminListStripeEvents',
    exports: 'adminExportStripeEvents',
    columns: ['event', 'account', 'about', 'status', 'received'],
    filters: { status: stripeEventStates },
    sorts: stripeEventSorts,
  },
  coupons: {
    list: 'adminListCoupons',
    exports: 'adminExportCoupons',
    columns: ['coupon', 'discount', 'status', 'uses', 'plans', 'expires', 'created'],
    filters: { status: couponStates },
    sorts: couponSorts,
  },
  leads: {
    list: 'adminListLeads',
    exports: 'adminExportLeads',
    columns: ['lead', 'volume', 'status', 'created'],
    filters: { status: leadStates },
    sorts: leadSorts,
  },
  userJobs: {
    list: 'adminListUserJobs',
    columns: ['file', 'status', 'engine', 'error', 'charged', 'created'],
    filters: { status: jobStatuses },
    sorts: userJobSorts,
  },
  audits: {
    list: 'adminListAudits',
    exports: 'adminExportAudits',
    columns: ['action', 'actor', 'subject', 'changes', 'reason', 'source', 'time'],
    filters: { group: auditGroupNames, outcome: auditOutcomes },
    sorts: auditSorts,
  },
  apiKeys: {
    list: 'adminListApiKeys',
    exports: 'adminExportApiKeys',
    columns: ['name', 'owner', 'preview', 'status', 'usage', 'used', 'created'],
    filters: { status: apiKeyStatuses, kind: allKeyKinds },
    sorts: apiKeySorts,
  },
  accessLog: {
    list: 'adminListAccessLog',
    exports: 'adminExportAccessLog',
    columns: ['event', 'account', 'address', 'request', 'status', 'at'],
    filters: { kind: accessFilters, status: statusClasses },
    sorts: accessSorts,
  },
  staff: {
    list: 'adminListStaff',
    exports: 'adminExportStaff',
    columns: ['person', 'role', 'seen', 'twoFactor', 'joined'],
    filters: { role: roles, twoFactor: twoFactorStates },
    sorts: staffSorts,
  },
  tickets: {
    list: 'adminListTickets',
    exports: 'adminExportTickets',
    columns: ['ticket', 'sender', 'state', 'assignee', 'due', 'created'],
    filters: { state: ticketFilters, kind: ticketKinds, assignee: assigneeFilters },
    sorts: ticketSorts,
  },
  articles: {
    list: 'adminListArticles',
    exports: 'adminExportArticles',
    columns: ['title', 'status', 'author', 'categories', 'published', 'updated'],
    filters: { status: articleFilters },
    sorts: articleSorts,
  },
  media: {
    list: 'adminListMedia',
    exports: 'adminExportMedia',
    columns: ['file', 'type', 'size', 'uses', 'uploader', 'uploaded'],
    filters: { type: mediaKinds, status: mediaFilters },
    sorts: mediaSorts,
  },
  incidents: {
    list: 'adminListIncidents',
    columns: ['incident', 'status', 'severity', 'services', 'started', 'ended'],
    filters: { status: incidentFilters, severity: severities },
    sorts: incidentSorts,
  },
  probes: {
    list: 'adminListProbes',
    columns: ['service', 'state', 'duration', 'detail', 'checked'],
    filters: { service: statusServices, state: probeStates },
    sorts: probeSorts,
  },
  subscribers: {
    list: 'adminListSubscribers',
    exports: 'adminExportSubscribers',
    columns: ['subscriber', 'state', 'topics', 'source', 'confirmed', 'created'],
    filters: { state: subscriberStates, topic: topics },
    sorts: subscriberSorts,
  },
  campaigns: {
    list: 'adminListCampaigns',
    columns: ['campaign', 'state', 'recipients', 'sent', 'failed', 'starts', 'created'],
    filters: { state: campaignStates, kind: campaignKinds },
    sorts: campaignSorts,
  },
  jobs: {
    list: 'adminListJobs',
    exports: 'adminExportJobs',
    columns: ['job', 'account', 'status', 'engine', 'attempts', 'created', 'finished'],
    filters: { view: jobViews, status: jobStatuses, engine: engineNames, tier: jobTiers, surface: jobSurfaces },
    sorts: jobSorts,
  },
} as const satisfies Record<string, Table>;
export type TableName = keyof typeof tables;
export type ColumnOf<Name extends TableName> = (typeof tables)[Name]['columns'][number];
