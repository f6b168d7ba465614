import * as z from 'zod';
import { exportFormats } from '../../policy/admin/tables.ts';
import { pageLimitSchema } from '../page.ts';
import { pastDaySchema } from '../time.ts';

/** The position and the length of a page of a table, in a query string. */
export const tablePageFields = { cursor: z.string().max(300).optional(), limit: pageLimitSchema };

/** The query of an export that has the same columns always. */
export const plainExportSchema = z.object({ format: z.enum(exportFormats).optional() });

/** The format of an export, and its columns: names separated by commas. Without names, all columns are exported. */
export const exportFields = (columns: readonly string[]) => ({
  ...plainExportSchema.shape,
  columns: z
    .string()
    .max(300)
    .refine((names) => names.split(',').every((name) => columns.includes(name)), {
      error: `Columns must be names separated by commas: ${columns.join(', ')}.`,
    })
    .optional(),
});

/** The first and the last day of the rows. */
export const dayFields = { from: pastDaySchema.optional(), to: pastDaySchema.optional() };
type Days = { from?: string | undefined; to?: string | undefined };
export const isInOrder = ({ from, to }: Days): boolean => !from || !to || from <= to;
export const notInOrder = { path: ['to'], error: 'The end must not be before the start.' };
