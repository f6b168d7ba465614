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
import { statusFiles } from '../texts/site/pages.ts';
import { bytesSchema, defineAdminEndpoints, defineEndpoints } from './endpoint.ts';

export const statusEndpoints = {
  ...defineEndpoints('none', {
    getStatus: { route: 'GET /api/status', answers: { 200: statusSchema } },
    getIncident: {
      route: 'GET /api/status/incidents/:id',
      answers: { 200: incidentSchema },
      errors: ['incident_not_found'],
    },
    statusFeed: { route: `GET ${statusFiles.feed}`, answers: { 200: bytesSchema } },
    statusBadge: { route: `GET ${statusFiles.badge}`, answers: { 200: bytesSchema } },
  }),
  ...defineAdminEndpoints({
    adminListServices: {
      route: 'GET /api/admin/status/services',
      permission: 'incidents.read',
      answers: { 200: z.array(adminServiceSchema) },
    },
    adminListIncidents: {
      route: 'GET /api/admin/status/incidents',
      permission: 'incidents.read',
      query: incidentsQuerySchema,
      answers: { 200: z.array(adminIncidentSchema) },
    },
    adminListProbes: {
      route: 'GET /api/admin/status/probes',
      permission: 'incidents.read',
      query: probesQuerySchema,
      answers: { 200: z.array(probeSchema) },
    },
    adminCreateIncident: {
      route: 'POST /api/admin/status/incidents',
      permission: 'incidents.manage',
      body: createIncidentBodySchema,
      answers: { 201: adminIncidentSchema },
    },
    adminScheduleMaintenance: {
      route: 'POST /api/admin/status/maintenance',
      permission: 'incidents.manage',
      body: scheduleMaintenanceBodySchema,
      answers: { 201: adminIncidentSchema },
    },
    adminAddIncidentUpdate: {
      route: 'POST /api/admin/status/incidents/:id/updates',
      permission: 'incidents.manage',
      body: addUpdateBodySchema,
      answers: { 201: adminIncidentSchema },
      errors: ['incident_not_found', 'incident_ended'],
    },
    adminSetOverride: {
      route: 'PUT /api/admin/status/services/:service/override',
      permission: 'incidents.manage',
      params: serviceParams,
      body: setOverrideBodySchema,
      answers: { 200: z.array(adminServiceSchema) },
      errors: ['status_service_not_found'],
    },
    adminRemoveOverride: {
      route: 'DELETE /api/admin/status/services/:service/override',
      permission: 'incidents.manage',
      params: serviceParams,
      answers: { 200: z.array(adminServiceSchema) },
      errors: ['status_service_not_found'],
    },
  }),
};
