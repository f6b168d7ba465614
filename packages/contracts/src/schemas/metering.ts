import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { meters } from '../policy/meters.ts';
import { filledSchema } from './user.ts';

/** One row of a ledger. An account's balance on a meter is the sum of its units. */
export const ledgerEntrySchema = z.object({
  id: z.int(),
  /** `reserve` takes, `settle` keeps it taken, `release` gives back, `expire` ends what was not used. */
  kind: z.enum(['grant', 'reserve', 'settle', 'release', 'expire']),
  meter: z.enum(meters),
  /** Above 0: given; below: taken. */
  units: z.int(),
  /** Why, in words. */
  reason: z.string(),
  /** Of the job, or of the item of a batch whose job is still to come. */
  jobId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const ledgerQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(limits.maxPageRows).optional(),
  /** The id of the last row of the page before. */
  cursor: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
});

/** Units beside the plan. */
export const grantBodySchema = z.strictObject({
  units: z.int().min(1).max(limits.grantUnits),
  meter: z.enum(meters),
  expiresAt: z.iso.datetime({ offset: true }),
  /** Its user reads it. */
  reason: filledSchema().max(500),
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
export type GrantAnswer = z.infer<typeof grantSchema>;
