import * as z from 'zod';
import {
  accessEventSchema,
  accessLogExportSchema,
  accessLogQuerySchema,
  acknowledgeBodySchema,
  anomaliesQuerySchema,
  anomalySchema,
  auditEntryViewSchema,
  auditsExportSchema,
  auditsQuerySchema,
} from '../../schemas/admin/logs.ts';
import {
  adminApiKeySchema,
  adminApiKeysExportSchema,
  adminApiKeysQuerySchema,
  createdServiceKeySchema,
  newServiceKeySchema,
  recommendationSchema,
  staffExportSchema,
  staffMemberSchema,
  staffQuerySchema,
} from '../../schemas/admin/security.ts';
import { apiKeyToggleSchema } from '../../schemas/api-keys.ts';
import { defineAdminEndpoints, emptySchema, exportOf } from '../endpoint.ts';

const keysPermission = { permission: 'keys.manage' } as const;
const staffPermission = { permission: 'roles.manage' } as const;

/**
 * Endpoints for the API keys of all accounts, service keys, the list of administrators, and security recommendations.
 */
export const adminSecurityEndpoints = defineAdminEndpoints({
  adminListApiKeys: {
    route: 'GET /api/admin/api-keys',
    ...keysPermission,
    query: adminApiKeysQuerySchema,
    answers: { 200: z.array(adminApiKeySchema) },
  },
  adminExportApiKeys: {
    route: 'GET /api/admin/api-keys/export',
    ...keysPermission,
    ...exportOf(adminApiKeysExportSchema),
  },
  adminCreateServiceKey: {
    route: 'POST /api/admin/api-keys',
    ...keysPermission,
    stepUp: true,
    body: newServiceKeySchema,
    answers: { 201: createdServiceKeySchema },
    errors: ['api_key_limit'],
  },
  adminToggleApiKey: {
    route: 'PATCH /api/admin/api-keys/:id',
    ...keysPermission,
    stepUp: true,
    body: apiKeyToggleSchema,
    answers: { 200: adminApiKeySchema },
    errors: ['api_key_not_found', 'role_above_own'],
  },
  adminDeleteApiKey: {
    route: 'DELETE /api/admin/api-keys/:id',
    ...keysPermission,
    stepUp: true,
    answers: { 204: emptySchema },
    errors: ['api_key_not_found', 'role_above_own'],
  },
  adminListStaff: {
    route: 'GET /api/admin/staff',
    ...staffPermission,
    query: staffQuerySchema,
    answers: { 200: z.array(staffMemberSchema) },
  },
  adminExportStaff: {
    route: 'GET /api/admin/staff/export',
    ...staffPermission,
    ...exportOf(staffExportSchema),
  },
  adminListRecommendations: {
    route: 'GET /api/admin/security/recommendations',
    permission: 'security.manage',
    answers: { 200: z.array(recommendationSchema) },
  },
});

export const auditEndpoints = defineAdminEndpoints({
  adminListAudits: {
    route: 'GET /api/admin/audit',
    permission: 'logs.read',
    query: auditsQuerySchema,
    answers: { 200: z.array(auditEntryViewSchema) },
  },
  adminExportAudits: {
    route: 'GET /api/admin/audit/export',
    permission: 'logs.read',
    ...exportOf(auditsExportSchema),
  },
});

export const accessLogEndpoints = defineAdminEndpoints({
  adminListAccessLog: {
    route: 'GET /api/admin/security/logs',
    permission: 'logs.read',
    query: accessLogQuerySchema,
    answers: { 200: z.array(accessEventSchema) },
  },
  adminExportAccessLog: {
    route: 'GET /api/admin/security/logs/export',
    permission: 'logs.read',
    ...exportOf(accessLogExportSchema),
  },
  adminListAnomalies: {
    route: 'GET /api/admin/security/anomalies',
    permission: 'logs.read',
    query: anomaliesQuerySchema,
    answers: { 200: z.array(anomalySchema) },
  },
  adminAcknowledgeAnomaly: {
    route: 'POST /api/admin/security/anomalies/:id/acknowledge',
    permission: 'anomalies.manage',
    body: acknowledgeBodySchema,
    answers: { 200: anomalySchema },
    errors: ['anomaly_not_found', 'anomaly_acknowledged'],
  },
});
