import { exportStaff, listStaff } from '@uprez/domain/admin/security/list-staff';
import { readRecommendations } from '@uprez/domain/admin/security/read-recommendations';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { staffColumns } from './export-columns.ts';
import { sendExport } from './send-export.ts';

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
