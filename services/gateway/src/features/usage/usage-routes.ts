import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { LedgerEntry as LedgerEntryView } from '@uprez/contracts/schemas/jobs/metering';
import { type DashboardFacts, getDashboard } from '@uprez/domain/dashboard/get-dashboard';
import { getUsage } from '@uprez/domain/dashboard/get-usage';
import { jobFactorOf } from '@uprez/domain/events/record-event';
import { exportLedger, type LedgerEntry, listLedger } from '@uprez/domain/usage/read-quota';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { isViewRequest } from '../../http/views.ts';
import { ledgerFields } from '../admin/export-columns.ts';
import { presentPages, sendFile } from '../admin/send-export.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { thumbnailPath } from '../jobs/present-job.ts';

export const usageHandlers = ({ actorOf }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    dashboardStats: async (request) => {
      const dashboard = presentDashboard(await getDashboard(deps, { actor: await actorOf(request) }));
      if (!isViewRequest(request)) return dashboard;
      return { ...dashboard, recentActivity: dashboard.recentActivity.map((job) => ({ ...job, thumbnailPath: null })) };
    },
    usage: async (request) => getUsage(deps, { actor: await actorOf(request), ...request.query }),
    listLedger: async (request, reply) => {
      const page = await listLedger(deps, { ...(await actorOf(request)), ...request.query });
      return rowsOfPage(reply, page).map(presentLedgerRow);
    },
    adminListLedger: async (request, reply) => {
      const page = await listLedger(deps, { accountId: request.params.id, ...request.query });
      return rowsOfPage(reply, page).map(presentLedgerRow);
    },
    adminExportLedger: async (request, reply) => {
      const pages = presentPages(await exportLedger(deps, { accountId: request.params.id }), presentLedgerRow);
      return sendFile(reply, { name: 'ledger', fields: ledgerFields, pages, ...request.query });
    },
  });

const presentDashboard = ({ recentJobs, forecast, ...facts }: DashboardFacts): Dashboard => ({
  ...facts,
  forecast: forecast.map(({ meter, endsAt }) => ({ meter, endsAt: endsAt.toISOString() })),
  recentActivity: recentJobs.map((job) => ({
    id: job.id,
    filename: job.filename,
    status: job.status,
    scaleFactor: jobFactorOf(job),
    createdAt: job.createdAt.toISOString(),
    thumbnailPath: job.hasThumbnail ? thumbnailPath(job.id) : null,
  })),
});

const presentLedgerRow = ({ id, kind, meter, units, reason, jobId, createdAt }: LedgerEntry): LedgerEntryView => ({
  ...{ id, kind, meter, units, reason, jobId },
  createdAt: createdAt.toISOString(),
});
