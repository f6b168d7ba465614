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

/** The access log, and what rules found in it. */
export const accessLogEndpoints = defineAdminEndpoints({
  adminListAccessLog: {
    permission: 'logs.read',
    query: accessLogQuerySchema,
    answers: { 200: z.array(accessEventSchema) },
  },
  adminExportAccessLog: {
    permission: 'logs.read',
    query: accessLogExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminListAnomalies: {
    permission: 'logs.read',
    query: anomaliesQuerySchema,
    answers: { 200: z.array(anomalySchema) },
  },
  adminAcknowledgeAnomaly: {
    permission: 'anomalies.manage',
    params: idParams,
    body: acknowledgeBodySchema,
    answers: { 200: anomalySchema },
    errors: ['anomaly_not_found', 'anomaly_acknowledged'],
  },
});
