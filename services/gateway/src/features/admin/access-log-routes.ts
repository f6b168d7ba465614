import { acknowledgeAnomaly, listAnomalies } from '@uprez/domain/admin/security/anomalies';
import { exportAccessLog, listAccessLog } from '@uprez/domain/admin/security/list-access-log';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { linkNext } from '../../http/public-links.ts';
import type { Dialect } from '../dialect.ts';
import { accessLogColumns } from './access-log-columns.ts';
import { sendExport } from './send-export.ts';

/** The access log, and what rules found in it. */
export function registerAccessLogRoutes({ route }: Dialect, deps: Deps): void {
  route('adminListAccessLog', async (request, reply) => {
    const { rows, ...page } = await listAccessLog(deps, request.query);
    linkNext(reply, { path: '/api/admin/security/logs', query: request.query, ...page });
    return rows;
  });
  route('adminExportAccessLog', async (request, reply) => {
    const pages = await exportAccessLog(deps, request.query);
    return sendExport(reply, { name: 'accessLog', columns: accessLogColumns, pages, query: request.query });
  });
  route('adminListAnomalies', async (request, reply) => {
    const { rows, ...page } = await listAnomalies(deps, request.query);
    linkNext(reply, { path: '/api/admin/security/anomalies', query: request.query, ...page });
    return rows;
  });
  route('adminAcknowledgeAnomaly', async (request) =>
    acknowledgeAnomaly(deps, {
      admin: await requireAdmin(deps, request),
      id: request.params.id,
      note: request.body.note,
    }),
  );
}
