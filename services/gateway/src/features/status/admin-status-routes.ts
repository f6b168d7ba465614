import {
  addIncidentUpdate,
  createIncident,
  listIncidents,
  scheduleMaintenance,
} from '@uprez/domain/status/incidents/incidents';
import { listProbes } from '@uprez/domain/status/probing/read-probes';
import { listServices, removeOverride, setOverride } from '@uprez/domain/status/set-override';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireAdminAndId } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';

export const adminStatusHandlers = (deps: Deps) =>
  defineHandlers({
    adminListServices: async () => listServices(deps),
    adminListIncidents: async (request, reply) => rowsOfPage(reply, await listIncidents(deps, request.query)),
    adminListProbes: async (request, reply) => rowsOfPage(reply, await listProbes(deps, request.query)),
    adminCreateIncident: async (request, reply) => {
      const admin = await requireAdmin(deps, request);
      return reply.status(201).send(await createIncident(deps, { admin, incident: request.body }));
    },
    adminScheduleMaintenance: async (request, reply) => {
      const admin = await requireAdmin(deps, request);
      return reply.status(201).send(await scheduleMaintenance(deps, { admin, maintenance: request.body }));
    },
    adminAddIncidentUpdate: async (request, reply) => {
      const change = { ...(await requireAdminAndId(deps, request)), update: request.body };
      return reply.status(201).send(await addIncidentUpdate(deps, change));
    },
    adminSetOverride: async (request) => {
      const admin = await requireAdmin(deps, request);
      return setOverride(deps, { admin, service: request.params.service, override: request.body });
    },
    adminRemoveOverride: async (request) => {
      const admin = await requireAdmin(deps, request);
      return removeOverride(deps, { admin, service: request.params.service });
    },
  });
