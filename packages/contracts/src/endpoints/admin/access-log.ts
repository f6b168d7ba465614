import * as z from 'zod';
import {
  accessEventSchema,
  accessLogExportSchema,
  accessLogQuerySchema,
  acknowledgeBodySchema,
  anomaliesQuerySchema,
  anomalySchema,
} from '../../schemas/admin/access-log.ts';
import { bytes, defineAdminEndpoints, idParams } from '../endpoint.ts';

/** Endpoints for the access log and the anomalies found in it. */
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
    query: accessLogExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
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
    params: idParams,
    body: acknowledgeBodySchema,
    answers: { 200: anomalySchema },
    errors: ['anomaly_not_found', 'anomaly_acknowledged'],
  },
});
