import * as z from 'zod';
import { exportFormats, type TableName, tables } from '../../policy/admin/tables.ts';
import { pageLimitSchema } from '../page.ts';
import { pastDaySchema } from '../time.ts';

/** The position and the length of a page of a table, in a query string. */
export const tablePageFields = { cursor: z.string().max(300).optional(), limit: pageLimitSchema };

/** The query of an export that has the same columns always. */
export const plainExportSchema = z.object({ format: z.enum(exportFormats).optional() });

/** The format of an export, and its columns: names separated by commas. Without names, all columns are exported. */
export const exportFields = (name: TableName) => {
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

const choice = <const Choices extends readonly string[]>(choices: Choices) => z.enum(choices).optional();
type Choice<Choices extends readonly string[]> = ReturnType<typeof choice<Choices>>;
type Filters<Name extends TableName> = (typeof tables)[Name]['filters'];

/** The filters and the sort order of a table, in a query string. */
export const filterFields = <Name extends TableName>(name: Name) => {
  const { filters, sorts } = tables[name];
  const fields = Object.entries<readonly string[]>(filters).map(([filter, choices]) => [filter, choice(choices)]);
  return { ...Object.fromEntries(fields), sort: choice(sorts) } as {
    [Filter in keyof Filters<Name>]: Choice<Filters<Name>[Filter] & readonly string[]>;
  } & { sort: Choice<(typeof tables)[Name]['sorts']> };
};

/** The first and the last day of the rows. */
export const dayFields = { from: pastDaySchema.optional(), to: pastDaySchema.optional() };
type Days = { from?: string | undefined; to?: string | undefined };
export const isInOrder = ({ from, to }: Days): boolean => !from || !to || from <= to;
export const notInOrder = { path: ['to'], error: 'The end must not be before the start.' };
