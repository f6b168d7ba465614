import * as z from 'zod';
import { auditSchema, auditsExportSchema, auditsQuerySchema } from '../../schemas/admin/audit.ts';
import { apiKeyToggleSchema } from '../../schemas/api-keys.ts';
import {
  adminApiKeySchema,
  adminApiKeysExportSchema,
  adminApiKeysQuerySchema,
  createdServiceKeySchema,
  newServiceKeySchema,
} from '../../schemas/security/admin-api-keys.ts';
import { recommendationSchema } from '../../schemas/security/recommendations.ts';
import { staffExportSchema, staffQuerySchema, staffSchema } from '../../schemas/security/staff.ts';
import { bytes, defineAdminEndpoints, idParams, nothing } from '../endpoint.ts';

const keys = { permission: 'keys.manage' } as const;
const staff = { permission: 'roles.manage' } as const;

/** API keys of all accounts, service keys, the administrators, and recommendations. */
export const adminSecurityEndpoints = defineAdminEndpoints({
  adminListApiKeys: { ...keys, query: adminApiKeysQuerySchema, answers: { 200: z.array(adminApiKeySchema) } },
  adminExportApiKeys: {
    ...keys,
    query: adminApiKeysExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminCreateServiceKey: {
    ...keys,
    stepUp: true,
    body: newServiceKeySchema,
    answers: { 201: createdServiceKeySchema },
    errors: ['api_key_limit'],
  },
  adminToggleApiKey: {
    ...keys,
    stepUp: true,
    params: idParams,
    body: apiKeyToggleSchema,
    answers: { 200: adminApiKeySchema },
    errors: ['api_key_not_found', 'role_above_own'],
  },
  adminDeleteApiKey: {
    ...keys,
    stepUp: true,
    params: idParams,
    answers: { 204: nothing },
    errors: ['api_key_not_found', 'role_above_own'],
  },
  adminListStaff: { ...staff, query: staffQuerySchema, answers: { 200: z.array(staffSchema) } },
  adminExportStaff: { ...staff, query: staffExportSchema, answers: { 200: bytes }, errors: ['export_too_large'] },
  adminListRecommendations: { permission: 'security.manage', answers: { 200: z.array(recommendationSchema) } },
});

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
