import type { GrantAnswer, LedgerEntry } from '@uprez/contracts/schemas/metering';
import type { AllowanceRow } from '@uprez/db/queries/usage/allowances';
import type { LedgerRow } from '@uprez/db/queries/usage/ledger';

export const presentLedgerRow = (row: LedgerRow): LedgerEntry => ({
  id: row.id,
  kind: row.kind,
  meter: row.meter,
  units: row.units,
  reason: row.reason,
  jobId: row.jobId,
  createdAt: row.createdAt.toISOString(),
});

export const presentGrant = (row: AllowanceRow): GrantAnswer => ({
  id: row.id,
  meter: row.meter,
  units: row.units,
  unitsLeft: row.unitsLeft,
  reason: row.reason,
  startsAt: row.startsAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
