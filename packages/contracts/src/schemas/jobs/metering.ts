import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tablePageFields } from '../admin/table.ts';
import { timeSchema } from '../time.ts';
import { requiredLineSchema } from '../user.ts';

/** A ledger entry. The balance of a meter is the sum of the units in its entries. */
export const ledgerEntrySchema = z.object({
  id: z.int(),
  /**
   * `grant` adds units, `reserve` takes them, `settle` confirms a reservation, `release` refunds it, `expire` removes
   * unused units, and `reverse` takes back unused units after a refund or a dispute.
   */
  kind: z.enum(['grant', 'reserve', 'settle', 'release', 'expire', 'reverse']),
  meter: z.enum(meters),
  /** Positive if units were added, negative if they were taken. */
  units: z.int(),
  reason: z.string(),
  /** ID of the job. For a batch item that has no job yet, the ID of the item. */
  jobId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const ledgerQuerySchema = z.object(tablePageFields);

export const grantBodySchema = z.strictObject({
  units: z.int().min(1).max(limits.grantUnits),
  meter: z.enum(meters),
  expiresAt: timeSchema,
  /** Reason that is shown to the user. */
  reason: requiredLineSchema().max(500),
});

export const grantSchema = z.object({
  id: z.uuid(),
  meter: z.enum(meters),
  units: z.int(),
  unitsLeft: z.int(),
  reason: z.string(),
  startsAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
