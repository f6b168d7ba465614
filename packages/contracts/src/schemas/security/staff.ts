import * as z from 'zod';
import { roles } from '../../policy/admin/permissions.ts';
import { limits } from '../../policy/limits.ts';
import { exportFields, filterFields, tablePageFields } from '../admin/table.ts';
import { lineSchema } from '../user.ts';

/** An administrator, for administrators who manage roles. */
export const staffSchema = z.object({
  id: z.uuid(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string(),
  role: z.enum(roles),
  suspendedAt: z.iso.datetime().nullable(),
  lastSeenAt: z.iso.datetime().nullable(),
  twoFactorEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type Staff = z.infer<typeof staffSchema>;

const staffFilter = {
  /** Matches part of the email address, username, or name. */
  search: lineSchema.max(limits.emailLength).optional(),
  ...filterFields('staff'),
};
export const staffQuerySchema = z.object({ ...staffFilter, ...tablePageFields });
export const staffExportSchema = z.object({ ...staffFilter, ...exportFields('staff') });
