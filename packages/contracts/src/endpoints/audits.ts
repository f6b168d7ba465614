import * as z from 'zod';
import { auditSchema, auditsExportSchema, auditsQuerySchema } from '../schemas/audit.ts';
import { bytes, defineAdminEndpoints } from './endpoint.ts';

/** The audit log. */
export const auditEndpoints = defineAdminEndpoints({
  adminListAudits: { permission: 'logs.read', query: auditsQuerySchema, answers: { 200: z.array(auditSchema) } },
  adminExportAudits: {
    permission: 'logs.read',
    query: auditsExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
});
