import { exportStaff, listStaff } from '@uprez/domain/admin/security/list-staff';
import { readRecommendations } from '@uprez/domain/admin/security/read-recommendations';
import type { Deps } from '../../deps.ts';
import { linkNext } from '../../http/public-links.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { staffColumns } from './export-columns.ts';
import { sendExport } from './send-export.ts';

/** The administrators, and what would make the site safer. */
export function registerAdminStaffRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminListStaff', async (request, reply) => {
    const { rows, ...page } = await listStaff(deps, request.query);
    linkNext(reply, { path: '/api/admin/staff', query: request.query, ...page });
    return rows;
  });
  route('adminExportStaff', async (request, reply) => {
    const pages = await exportStaff(deps, request.query);
    return sendExport(reply, { name: 'staff', columns: staffColumns, pages, query: request.query });
  });
  route('adminListRecommendations', async () => readRecommendations(deps));
}
