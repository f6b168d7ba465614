import type { GrantAnswer, LedgerEntry as LedgerEntryView } from '@uprez/contracts/schemas/metering';
import type { GrantedCredits } from '@uprez/domain/admin/grant-units';
import type { LedgerEntry } from '@uprez/domain/usage/list-ledger';

export const presentLedgerRow = (row: LedgerEntry): LedgerEntryView => ({
  id: row.id,
  kind: row.kind,
  meter: row.meter,
  units: row.units,
  reason: row.reason,
  jobId: row.jobId,
  createdAt: row.createdAt.toISOString(),
});

export const presentGrant = (row: GrantedCredits): GrantAnswer => ({
  id: row.id,
  meter: row.meter,
  units: row.units,
  unitsLeft: row.unitsLeft,
  reason: row.reason,
  startsAt: row.startsAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
