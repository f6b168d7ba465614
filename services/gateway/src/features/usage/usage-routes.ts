import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { LedgerEntry as LedgerEntryView } from '@uprez/contracts/schemas/metering';
import { type DashboardFacts, getDashboard } from '@uprez/domain/dashboard/get-dashboard';
import { getUsage } from '@uprez/domain/dashboard/get-usage';
import { jobFactor } from '@uprez/domain/events/record-event';
import { type LedgerEntry, type LedgerFilter, listLedger } from '@uprez/domain/usage/read-quota';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { linkNext } from '../../http/public-links.ts';
import type { Dialect } from '../dialect.ts';
import { thumbnailPath } from '../jobs/present-job.ts';

/** The statistics and the ledger of an account. */
export function registerUsageRoutes({ route, actorOf }: Dialect, deps: Deps): void {
  route('dashboardStats', async (request) =>
    presentDashboard(await getDashboard(deps, { actor: await actorOf(request) })),
  );
  route('usage', async (request) => getUsage(deps, { actor: await actorOf(request), ...request.query }));
  const listPage = async (reply: FastifyReply, path: string, own: { accountId: string; query: LedgerFilter }) => {
    const { rows, ...page } = await listLedger(deps, { accountId: own.accountId, ...own.query });
    linkNext(reply, { path, query: own.query, ...page });
    return rows.map(presentLedgerRow);
  };
  route('listLedger', async (request, reply) => {
    const { accountId } = await actorOf(request);
    return listPage(reply, '/api/ledger', { accountId, query: request.query });
  });
  route('adminListLedger', async (request, reply) => {
    const { id: accountId } = request.params;
    return listPage(reply, `/api/admin/users/${accountId}/ledger`, { accountId, query: request.query });
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
