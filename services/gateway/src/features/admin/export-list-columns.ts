import type { Redemption } from '@uprez/contracts/schemas/billing/coupons';
import type { Invitation } from '@uprez/contracts/schemas/invitations';
import type { LedgerEntry } from '@uprez/contracts/schemas/metering';
import { ledgerKindNames } from '@uprez/contracts/texts/ledger';
import type { Fields } from './send-export.ts';

/** Fields of exports of lists without columns to choose. */
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
  email: ({ email }) => email,
  role: ({ role }) => role,
  invited_by: ({ invitedBy }) => invitedBy,
  created: ({ createdAt }) => createdAt,
  sent: ({ sentAt }) => sentAt,
  expires: ({ expiresAt }) => expiresAt,
};

export const ledgerFields: Fields<LedgerEntry> = {
  entry: ({ id }) => id,
  type: ({ kind }) => ledgerKindNames[kind],
  meter: ({ meter }) => meter,
  units: ({ units }) => units,
  reason: ({ reason }) => reason,
  job: ({ jobId }) => jobId,
  time: ({ createdAt }) => createdAt,
};
