import { countImages } from '@uprez/contracts/policy/plans/meters';
import type { Invitation } from '@uprez/contracts/schemas/admin/invitations';
import type { AdminApiKey, StaffMember } from '@uprez/contracts/schemas/admin/security';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import type {
  AdminLead,
  AdminStripeEvent,
  AdminSubscription,
  AdminTransaction,
} from '@uprez/contracts/schemas/billing/admin-payments';
import type { Coupon, Redemption } from '@uprez/contracts/schemas/billing/coupons';
import type { LedgerEntry } from '@uprez/contracts/schemas/jobs/metering';
import { ledgerKindNames } from '@uprez/contracts/texts/billing';
import { currencyCell, moneyCell } from '../format-csv.ts';
import { type ExportColumns, type Fields, formatYesNo, propertyFields } from './send-export.ts';

/** Formats image counts such as `100 AI images, 1,000 standard images`. */
const formatUnits = (units: AdminTransaction['units'], which: 'given' | 'reversed'): string | null =>
  units.map((row) => countImages(row[which], row.meter)).join(', ') || null;

/** The date that an administrator set, or else when the canceled subscription to this plan ends. */
const endOfPlan = ({ subscriptionEndsAt, subscriptionTier, billedTier, billedUntil }: AdminUser): string | null =>
  subscriptionEndsAt ?? (billedTier === subscriptionTier ? billedUntil : null);

export const userColumns: ExportColumns<'users', AdminUser> = {
  user: {
    user: ({ id }) => id,
    ...propertyFields<AdminUser>('email', 'firstName', 'lastName', 'role'),
    email_verified: ({ emailVerified }) => formatYesNo(emailVerified),
    suspended: ({ suspendedAt }) => formatYesNo(suspendedAt !== null),
    suspended_at: ({ suspendedAt }) => suspendedAt,
  },
  subscription: {
    subscription: ({ subscriptionTier }) => subscriptionTier,
    subscription_ends: endOfPlan,
  },
  images: { images_this_month: ({ imagesProcessedThisMonth }) => imagesProcessedThisMonth },
  calls: { api_calls_this_month: ({ apiCallsThisMonth }) => apiCallsThisMonth },
  joined: { joined: ({ createdAt }) => createdAt },
};

export const subscriptionColumns: ExportColumns<'subscriptions', AdminSubscription> = {
  account: {
    subscription: ({ id }) => id,
    customer: ({ customerId }) => customerId,
    email: ({ account }) => account?.email ?? null,
    name: ({ account }) => account?.name ?? null,
  },
  plan: { plan: ({ tier }) => tier, interval: ({ interval }) => interval },
  status: {
    status: ({ badge }) => badge,
    cancels: ({ cancelAt }) => cancelAt,
    ended: ({ endedAt }) => endedAt,
    cancel_reason: ({ cancellation }) => cancellation?.feedback ?? null,
    cancel_comment: ({ cancellation }) => cancellation?.comment ?? null,
    unpaid: ({ unpaid }) => unpaid && moneyCell(unpaid.amount),
  },
  amount: { amount: ({ amount }) => moneyCell(amount), currency: ({ currency }) => currencyCell(currency) },
  renewal: { period_end: ({ periodEnd }) => periodEnd },
  created: { created: ({ createdAt }) => createdAt },
};

export const transactionColumns: ExportColumns<'transactions', AdminTransaction> = {
  account: {
    payment: ({ id }) => id,
    customer: ({ customerId }) => customerId,
    email: ({ account }) => account?.email ?? null,
    name: ({ account }) => account?.name ?? null,
  },
  status: {
    status: ({ badge }) => badge,
    failure: ({ failure }) => failure,
    disputed: ({ isDisputed }) => formatYesNo(isDisputed),
    refunded: ({ refunded }) => moneyCell(refunded),
  },
  amount: {
    amount: ({ amount }) => moneyCell(amount),
    tax: ({ tax }) => moneyCell(tax),
    currency: ({ currency }) => currencyCell(currency),
  },
  invoice: {
    invoice: ({ invoice }) => invoice && (invoice.number ?? invoice.id),
    description: ({ description }) => description,
    credits_added: ({ units }) => formatUnits(units, 'given'),
    credits_removed: ({ units }) => formatUnits(units, 'reversed'),
  },
  method: { method: ({ method }) => method, card: ({ card }) => card && `${card.brand} ${card.last4}` },
  created: { created: ({ createdAt }) => createdAt },
};

export const stripeEventColumns: ExportColumns<'stripeEvents', AdminStripeEvent> = {
  event: { event: ({ id }) => id, type: ({ type }) => type },
  account: {
    customer: ({ customerId }) => customerId,
    email: ({ account }) => account?.email ?? null,
    name: ({ account }) => account?.name ?? null,
  },
  about: { object_type: ({ objectType }) => objectType, object: ({ objectId }) => objectId },
  status: { status: ({ state }) => state, error: ({ error }) => error },
  received: { created: ({ createdAt }) => createdAt, received: ({ receivedAt }) => receivedAt },
};

export const couponColumns: ExportColumns<'coupons', Coupon> = {
  coupon: { coupon: ({ id }) => id, code: ({ code }) => code, description: ({ description }) => description },
  discount: {
    ...propertyFields<Coupon>('discountType', 'discountValue', 'duration'),
    months: ({ durationMonths }) => durationMonths,
  },
  status: { status: ({ state }) => state, disabled: ({ disabledAt }) => disabledAt },
  uses: propertyFields<Coupon>('uses', 'maxUses', 'perAccount'),
  plans: { plans: ({ plans }) => plans.join(' ') || null },
  expires: { expires: ({ expiresAt }) => expiresAt },
  created: { created: ({ createdAt }) => createdAt },
};

export const leadColumns: ExportColumns<'leads', AdminLead> = {
  lead: {
    lead: ({ id }) => id,
    ...propertyFields<AdminLead>('name', 'email', 'company', 'message'),
  },
  volume: { volume: ({ volume }) => volume },
  status: {
    status: ({ state }) => state,
    link_sent: ({ link }) => link?.sentAt ?? null,
    link_interval: ({ link }) => link?.interval ?? null,
  },
  created: { created: ({ createdAt }) => createdAt },
};

export const redemptionFields: Fields<Redemption> = {
  use: ({ id }) => id,
  status: ({ state }) => state,
  account: ({ accountId }) => accountId,
  email: ({ email }) => email,
  subscription: ({ subscriptionId }) => subscriptionId,
  reserved: ({ reservedAt }) => reservedAt,
  redeemed: ({ redeemedAt }) => redeemedAt,
  released: ({ releasedAt }) => releasedAt,
};

export const invitationFields: Fields<Invitation> = {
  invitation: ({ id }) => id,
  ...propertyFields<Invitation>('email', 'role', 'invitedBy'),
  created: ({ createdAt }) => createdAt,
  sent: ({ sentAt }) => sentAt,
  expires: ({ expiresAt }) => expiresAt,
};

export const ledgerFields: Fields<LedgerEntry> = {
  entry: ({ id }) => id,
  type: ({ kind }) => ledgerKindNames[kind],
  ...propertyFields<LedgerEntry>('meter', 'units', 'reason'),
  job: ({ jobId }) => jobId,
  time: ({ createdAt }) => createdAt,
};

export const apiKeyColumns: ExportColumns<'apiKeys', AdminApiKey> = {
  name: { id: ({ id }) => id, name: ({ name }) => name, kind: ({ kind }) => kind },
  owner: {
    owner: ({ owner }) => owner?.id ?? null,
    owner_email: ({ owner }) => owner?.email ?? null,
    created_by: ({ creator }) => creator?.email ?? null,
  },
  preview: { key_preview: ({ keyPreview }) => keyPreview },
  status: { active: ({ isActive }) => formatYesNo(isActive), expires: ({ expiresAt }) => expiresAt },
  usage: { calls: ({ usageCount }) => usageCount },
  used: { last_used: ({ lastUsed }) => lastUsed },
  created: { created: ({ createdAt }) => createdAt },
};

export const staffColumns: ExportColumns<'staff', StaffMember> = {
  person: {
    user: ({ id }) => id,
    ...propertyFields<StaffMember>('email', 'firstName', 'lastName'),
    suspended: ({ suspendedAt }) => formatYesNo(suspendedAt !== null),
    suspended_at: ({ suspendedAt }) => suspendedAt,
  },
  role: { role: ({ role }) => role },
  seen: { last_seen: ({ lastSeenAt }) => lastSeenAt },
  twoFactor: { two_factor: ({ twoFactorEnabled }) => formatYesNo(twoFactorEnabled) },
  joined: { joined: ({ createdAt }) => createdAt },
};
