import type { AccessEventView } from '@uprez/contracts/schemas/admin/logs';
import { acknowledgeAnomaly, listAnomalies } from '@uprez/domain/admin/security/anomalies';
import { exportAccessLog, listAccessLog } from '@uprez/domain/admin/security/list-access-log';
import { exportStaff, listStaff, readRecommendations } from '@uprez/domain/admin/security/staff';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { staffColumns } from './export-columns.ts';
import { type ExportColumns, propertyFields, sendExport } from './send-export.ts';

const accessLogColumns: ExportColumns<'accessLog', AccessEventView> = {
  event: { event: ({ id }) => id, kind: ({ kind }) => kind, count: ({ count }) => count },
  account: {
    user_id: ({ user }) => user?.id ?? null,
    user_email: ({ user }) => user?.email ?? null,
    administrator_id: ({ staff }) => staff?.id ?? null,
    administrator_email: ({ staff }) => staff?.email ?? null,
    api_key: ({ key }) => key?.name ?? null,
  },
  address: {
    ip_address: ({ address }) => address,
    ...propertyFields<AccessEventView>('network', 'country', 'userAgent'),
  },
  request: propertyFields<AccessEventView>('method', 'path', 'requestId'),
  status: { status: ({ status }) => status },
  at: { at: ({ at }) => at },
};

export const accessLogHandlers = (deps: Deps) =>
  defineHandlers({
    adminListAccessLog: async (request, reply) => rowsOfPage(reply, await listAccessLog(deps, request.query)),
    adminExportAccessLog: async (request, reply) => {
      const pages = await exportAccessLog(deps, request.query);
      return sendExport(reply, { name: 'accessLog', columns: accessLogColumns, pages, query: request.query });
    },
    adminListAnomalies: async (request, reply) => rowsOfPage(reply, await listAnomalies(deps, request.query)),
    adminAcknowledgeAnomaly: async (request) =>
      acknowledgeAnomaly(deps, {
        admin: await requireAdmin(deps, request),
        id: request.params.id,
        note: request.body.note,
      }),
  });

/** Handlers for the list of administrators and the security recommendations. */
export const adminStaffHandlers = (deps: Deps) =>
  defineHandlers({
    adminListStaff: async (request, reply) => rowsOfPage(reply, await listStaff(deps, request.query)),
    adminExportStaff: async (request, reply) => {
      const pages = await exportStaff(deps, request.query);
      return sendExport(reply, { name: 'staff', columns: staffColumns, pages, query: request.query });
    },
    adminListRecommendations: async () => readRecommendations(deps),
  });
