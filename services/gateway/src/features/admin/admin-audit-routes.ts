import { exportAudits, listAudits } from '@uprez/domain/admin/audit/list-audits';
import type { Deps } from '../../deps.ts';
import { linkNext } from '../../http/public-links.ts';
import type { Dialect } from '../dialect.ts';
import { auditColumns } from './audit-columns.ts';
import { sendExport } from './send-export.ts';

/** The audit log. */
export function registerAdminAuditRoutes({ route }: Dialect, deps: Deps): void {
  route('adminListAudits', async (request, reply) => {
    const { rows, ...page } = await listAudits(deps, request.query);
    linkNext(reply, { path: '/api/admin/audit', query: request.query, ...page });
    return rows;
  });
  route('adminExportAudits', async (request, reply) => {
    const pages = await exportAudits(deps, request.query);
    return sendExport(reply, { name: 'audits', columns: auditColumns, pages, query: request.query });
  });
}
