import * as z from 'zod';
import { limits } from '../../policy/limits.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tablePageFields } from '../admin/table.ts';
import { timeSchema } from '../time.ts';
import { requiredLineSchema } from '../user.ts';

/** A ledger entry. The balance on a meter is the sum of its units. */
export const ledgerEntrySchema = z.object({
  id: z.int(),
  /**
   * `grant` adds, `reserve` takes, `settle` confirms, `release` refunds, `expire` removes unused units, `reverse` takes
   * back unused units of a refunded or disputed payment.
   */
  kind: z.enum(['grant', 'reserve', 'settle', 'release', 'expire', 'reverse']),
  meter: z.enum(meters),
  /** Positive if added, negative if taken. */
  units: z.int(),
  reason: z.string(),
  /** ID of the job, or of the batch item until its job is created. */
  jobId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const ledgerQuerySchema = z.object(tablePageFields);

/** Units granted in addition to the plan. */
export const grantBodySchema = z.strictObject({
  units: z.int().min(1).max(limits.grantUnits),
  meter: z.enum(meters),
  expiresAt: timeSchema,
  /** Shown to the user. */
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
