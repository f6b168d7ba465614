import { addIncidentUpdate } from '@uprez/domain/status/incidents/add-update';
import { createIncident, scheduleMaintenance } from '@uprez/domain/status/incidents/create-incident';
import { listIncidents } from '@uprez/domain/status/incidents/list-incidents';
import { listProbes } from '@uprez/domain/status/probing/list-probes';
import { listServices, removeOverride, setOverride } from '@uprez/domain/status/set-override';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { linkNext } from '../../http/public-links.ts';
import type { ApiAdapter } from '../api-adapter.ts';

/** The administration of the status page. */
export function registerAdminStatusRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminListServices', async () => listServices(deps));
  route('adminListIncidents', async (request, reply) => {
    const { rows, ...page } = await listIncidents(deps, request.query);
    linkNext(reply, { path: '/api/admin/status/incidents', query: request.query, ...page });
    return rows;
  });
  route('adminListProbes', async (request, reply) => {
    const { rows, ...page } = await listProbes(deps, request.query);
    linkNext(reply, { path: '/api/admin/status/probes', query: request.query, ...page });
    return rows;
  });
  route('adminCreateIncident', async (request, reply) => {
    const admin = await requireAdmin(deps, request);
    return reply.status(201).send(await createIncident(deps, { admin, incident: request.body }));
  });
  route('adminScheduleMaintenance', async (request, reply) => {
    const admin = await requireAdmin(deps, request);
    return reply.status(201).send(await scheduleMaintenance(deps, { admin, maintenance: request.body }));
  });
  route('adminAddIncidentUpdate', async (request, reply) => {
    const admin = await requireAdmin(deps, request);
    const { id } = request.params;
    return reply.status(201).send(await addIncidentUpdate(deps, { admin, id, update: request.body }));
  });
  route('adminSetOverride', async (request) => {
    const admin = await requireAdmin(deps, request);
    return setOverride(deps, { admin, service: request.params.service, override: request.body });
  });
  route('adminRemoveOverride', async (request) => {
    const admin = await requireAdmin(deps, request);
    return removeOverride(deps, { admin, service: request.params.service });
  });
}
