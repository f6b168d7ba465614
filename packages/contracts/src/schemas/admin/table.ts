import * as z from 'zod';
import { exportFormats, type TableName, tables } from '../../policy/admin/tables.ts';
import { pageLimitSchema } from '../page.ts';
import { pastDaySchema } from '../time.ts';

export const tablePageFields = { cursor: z.string().max(300).optional(), limit: pageLimitSchema };

/** Query parameters for exports that always contain the same columns. */
export const plainExportSchema = z.object({ format: z.enum(exportFormats).optional() });

/**
 * Creates the query parameters for an export: its format, and its columns as comma-separated names. If no columns are
 * named, all are exported.
 */
export const makeExportFields = (name: TableName) => {
  const columns: readonly string[] = tables[name].columns;
  return {
    ...plainExportSchema.shape,
    columns: z
      .string()
      .max(300)
      .refine((names) => names.split(',').every((column) => columns.includes(column)), {
        error: `Columns must be names separated by commas: ${columns.join(', ')}.`,
      })
      .optional(),
  };
};

const makeChoiceSchema = <const Choices extends readonly string[]>(choices: Choices) => z.enum(choices).optional();
type Choice<Choices extends readonly string[]> = ReturnType<typeof makeChoiceSchema<Choices>>;
type TableFilters<Name extends TableName> = (typeof tables)[Name]['filters'];

/** Creates the query parameters for the filters and the sort order of a table. */
export const makeFilterFields = <Name extends TableName>(name: Name) => {
  const { filters, sorts } = tables[name];
  const fields = Object.entries<readonly string[]>(filters).map(([filter, choices]) => [
    filter,
    makeChoiceSchema(choices),
  ]);
  return { ...Object.fromEntries(fields), sort: makeChoiceSchema(sorts) } as {
    [Filter in keyof TableFilters<Name>]: Choice<TableFilters<Name>[Filter] & readonly string[]>;
  } & { sort: Choice<(typeof tables)[Name]['sorts']> };
};

/** First and last day of a range, both inclusive. */
export const dayFields = { from: pastDaySchema.optional(), to: pastDaySchema.optional() };
type Days = { from?: string | undefined; to?: string | undefined };
export const isRangeInOrder = ({ from, to }: Days): boolean => !from || !to || from <= to;
export const notInOrder = { path: ['to'], error: 'The end must not be before the start.' };
