import type { AdminJob } from '@uprez/contracts/schemas/admin/jobs';
import { cancelForAdmin, requeueForAdmin } from '@uprez/domain/admin/jobs/change-job';
import { drainWorker, drainWorkers, pauseEngine } from '@uprez/domain/admin/jobs/change-job-settings';
import { getAdminJob } from '@uprez/domain/admin/jobs/get-job';
import { exportJobs, listAdminJobs } from '@uprez/domain/admin/jobs/list-jobs';
import { readOverview } from '@uprez/domain/admin/jobs/read-overview';
import { retryFailedJob } from '@uprez/domain/admin/jobs/retry-job';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { areEmailsMasked } from '../../http/mask-emails.ts';
import { linkNext } from '../../http/public-links.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { type ExportColumns, sendExport, yesNo } from './send-export.ts';

const jobColumns: ExportColumns<'jobs', AdminJob> = {
  job: { job: ({ id }) => id, kind: ({ kind }) => kind, filename: ({ filename }) => filename },
  account: {
    account: ({ account }) => account?.id ?? null,
    email: ({ account }) => account?.email ?? null,
    plan: ({ tier }) => tier,
  },
  status: {
    status: ({ status }) => status,
    error: ({ errorCode }) => errorCode,
    stuck: ({ isStuck }) => yesNo(isStuck),
  },
  engine: { engine: ({ engine }) => engine, paused: ({ isPaused }) => yesNo(isPaused) },
  attempts: { attempts: ({ attempt }) => attempt, failures: ({ failures }) => failures },
  created: { created: ({ createdAt }) => createdAt, started: ({ startedAt }) => startedAt },
  finished: { finished: ({ finishedAt }) => finishedAt },
};

/** The jobs of all accounts. */
export function registerAdminJobRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminJobOverview', async () => readOverview(deps));
  route('adminListJobs', async (request, reply) => {
    const { rows, ...page } = await listAdminJobs(deps, { ...request.query, byName: areEmailsMasked(request) });
    linkNext(reply, { path: '/api/admin/jobs', query: request.query, ...page });
    return rows;
  });
  route('adminExportJobs', async (request, reply) => {
    const pages = await exportJobs(deps, { ...request.query, byName: areEmailsMasked(request) });
    return sendExport(reply, { name: 'jobs', columns: jobColumns, pages, query: request.query });
  });
  route('adminGetJob', async (request) => getAdminJob(deps, request.params.id));
}

/** Changes of single jobs. */
export function registerAdminJobWriteRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminRetryJob', async (request) =>
    retryFailedJob(deps, { admin: await requireAdmin(deps, request), id: request.params.id, ...request.body }),
  );
  route('adminRequeueJob', async (request) => {
    const { id } = request.params;
    await requeueForAdmin(deps, { admin: await requireAdmin(deps, request), id, ...request.body });
    return getAdminJob(deps, id);
  });
  route('adminCancelJob', async (request) => {
    const { id } = request.params;
    await cancelForAdmin(deps, { admin: await requireAdmin(deps, request), id, ...request.body });
    return getAdminJob(deps, id);
  });
}

/** Paused engines and drained workers. */
export function registerAdminQueueRoutes({ route }: ApiAdapter, deps: Deps): void {
  route('adminPauseEngine', async (request) =>
    pauseEngine(deps, { admin: await requireAdmin(deps, request), engine: request.params.id, ...request.body }),
  );
  route('adminDrainWorkers', async (request) =>
    drainWorkers(deps, { admin: await requireAdmin(deps, request), ...request.body }),
  );
  route('adminDrainWorker', async (request) =>
    drainWorker(deps, { admin: await requireAdmin(deps, request), name: request.params.id, ...request.body }),
  );
}
