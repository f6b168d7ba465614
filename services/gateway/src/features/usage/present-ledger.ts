import type { GrantAnswer, LedgerEntry } from '@uprez/contracts/schemas/metering';
import type { AllowanceRow } from '@uprez/db/queries/usage/allowances';
import type { LedgerRow } from '@uprez/db/queries/usage/ledger';

export const presentLedgerRow = (row: LedgerRow): LedgerEntry => ({
  id: row.id,
  kind: row.kind,
  meter: row.meter,
  units: row.units,
  reason: row.reason,
  jobId: row.job_id,
  createdAt: row.created_at.toISOString(),
});

export const presentGrant = (row: AllowanceRow): GrantAnswer => ({
  id: row.id,
  meter: row.meter,
  units: row.units,
  unitsLeft: row.units_left,
  reason: row.reason,
  startsAt: row.starts_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
