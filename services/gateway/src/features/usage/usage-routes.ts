import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { LedgerEntry as LedgerEntryView } from '@uprez/contracts/schemas/jobs/metering';
import type { Actor } from '@uprez/domain/actor';
import { type DashboardFacts, getDashboard } from '@uprez/domain/dashboard/get-dashboard';
import { getUsage } from '@uprez/domain/dashboard/get-usage';
import { jobFactor } from '@uprez/domain/events/record-event';
import type { IdPageQuery } from '@uprez/domain/read-id-pages';
import { exportLedger, type LedgerEntry, listLedger } from '@uprez/domain/usage/read-quota';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { linkNext } from '../../http/public-links.ts';
import { isViewed } from '../../http/views.ts';
import { ledgerFields } from '../admin/export-columns.ts';
import { presentPages, sendFile } from '../admin/send-export.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { thumbnailPath } from '../jobs/present-job.ts';

type Account = Pick<Actor, 'accountId' | 'isViewed'>;

/** The statistics and the ledger of an account. */
export function registerUsageRoutes({ route, actorOf }: ApiAdapter, deps: Deps): void {
  route('dashboardStats', async (request) => {
    const dashboard = presentDashboard(await getDashboard(deps, { actor: await actorOf(request) }));
    if (!isViewed(request)) return dashboard;
    return { ...dashboard, recentActivity: dashboard.recentActivity.map((job) => ({ ...job, thumbnailPath: null })) };
  });
  route('usage', async (request) => getUsage(deps, { actor: await actorOf(request), ...request.query }));
  const listPage = async (reply: FastifyReply, path: string, own: { account: Account; query: IdPageQuery }) => {
    const { rows, ...page } = await listLedger(deps, { ...own.account, ...own.query });
    linkNext(reply, { path, query: own.query, ...page });
    return rows.map(presentLedgerRow);
  };
  route('listLedger', async (request, reply) => {
    const account = await actorOf(request);
    return listPage(reply, '/api/ledger', { account, query: request.query });
  });
  route('adminListLedger', async (request, reply) => {
    const { id: accountId } = request.params;
    return listPage(reply, `/api/admin/users/${accountId}/ledger`, { account: { accountId }, query: request.query });
  });
  route('adminExportLedger', async (request, reply) => {
    const pages = presentPages(await exportLedger(deps, { accountId: request.params.id }), presentLedgerRow);
    return sendFile(reply, { name: 'ledger', fields: ledgerFields, pages, ...request.query });
  });
}

const presentDashboard = ({ recentJobs, forecast, ...facts }: DashboardFacts): Dashboard => ({
  ...facts,
  forecast: forecast.map(({ meter, endsAt }) => ({ meter, endsAt: endsAt.toISOString() })),
  recentActivity: recentJobs.map((job) => ({
    id: job.id,
    filename: job.filename,
    status: job.status,
    scaleFactor: jobFactor(job),
    createdAt: job.createdAt.toISOString(),
    thumbnailPath: job.hasThumbnail ? thumbnailPath(job.id) : null,
  })),
});

const presentLedgerRow = ({ id, kind, meter, units, reason, jobId, createdAt }: LedgerEntry): LedgerEntryView => ({
  ...{ id, kind, meter, units, reason, jobId },
  createdAt: createdAt.toISOString(),
});
