import * as z from 'zod';
import {
  addUpdateBodySchema,
  adminIncidentSchema,
  adminServiceSchema,
  createIncidentBodySchema,
  incidentSchema,
  incidentsQuerySchema,
  probeSchema,
  probesQuerySchema,
  scheduleMaintenanceBodySchema,
  serviceParams,
  setOverrideBodySchema,
  statusSchema,
} from '../schemas/status.ts';
import { bytes, defineAdminEndpoints, defineEndpoints, idParams } from './endpoint.ts';

/** The status page, and its administration. */
export const statusEndpoints = {
  ...defineEndpoints('none', {
    getStatus: { answers: { 200: statusSchema } },
    getIncident: { params: idParams, answers: { 200: incidentSchema }, errors: ['incident_not_found'] },
    statusFeed: { answers: { 200: bytes } },
    statusBadge: { answers: { 200: bytes } },
  }),
  ...defineAdminEndpoints({
    adminListServices: { permission: 'incidents.read', answers: { 200: z.array(adminServiceSchema) } },
    adminListIncidents: {
      permission: 'incidents.read',
      query: incidentsQuerySchema,
      answers: { 200: z.array(adminIncidentSchema) },
    },
    adminListProbes: { permission: 'incidents.read', query: probesQuerySchema, answers: { 200: z.array(probeSchema) } },
    adminCreateIncident: {
      permission: 'incidents.manage',
      body: createIncidentBodySchema,
      answers: { 201: adminIncidentSchema },
    },
    adminScheduleMaintenance: {
      permission: 'incidents.manage',
      body: scheduleMaintenanceBodySchema,
      answers: { 201: adminIncidentSchema },
    },
    adminAddIncidentUpdate: {
      permission: 'incidents.manage',
      params: idParams,
      body: addUpdateBodySchema,
      answers: { 201: adminIncidentSchema },
      errors: ['incident_not_found', 'incident_ended'],
    },
    adminSetOverride: {
      permission: 'incidents.manage',
      params: serviceParams,
      body: setOverrideBodySchema,
      answers: { 200: z.array(adminServiceSchema) },
      errors: ['status_service_not_found'],
    },
    adminRemoveOverride: {
      permission: 'incidents.manage',
      params: serviceParams,
      answers: { 200: z.array(adminServiceSchema) },
      errors: ['status_service_not_found'],
    },
  }),
};
