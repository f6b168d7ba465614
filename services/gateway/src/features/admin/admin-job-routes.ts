import type { AdminJob } from '@uprez/contracts/schemas/admin/jobs';
import { cancelJobForAdmin, requeueJobForAdmin } from '@uprez/domain/admin/jobs/change-job';
import { drainWorker, pauseEngine, setWorkersDraining } from '@uprez/domain/admin/jobs/change-job-settings';
import { exportJobs, getAdminJob, listAdminJobs } from '@uprez/domain/admin/jobs/list-jobs';
import { readOverview } from '@uprez/domain/admin/jobs/read-overview';
import { retryFailedJob } from '@uprez/domain/admin/jobs/retry-job';
import { assignPool, deletePool, getAssignment, putPool, readPools } from '@uprez/domain/admin/pools';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { areEmailsMasked } from '../../http/mask-emails.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { type ExportColumns, formatYesNo, sendExport } from './send-export.ts';

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
    stuck: ({ isStuck }) => formatYesNo(isStuck),
  },
  engine: { engine: ({ engine }) => engine, paused: ({ isPaused }) => formatYesNo(isPaused) },
  attempts: { attempts: ({ attempt }) => attempt, failures: ({ failures }) => failures },
  created: { created: ({ createdAt }) => createdAt, started: ({ startedAt }) => startedAt },
  finished: { finished: ({ finishedAt }) => finishedAt },
};

export const adminJobHandlers = (deps: Deps) =>
  defineHandlers({
    adminJobOverview: async () => readOverview(deps),
    adminListJobs: async (request, reply) =>
      rowsOfPage(reply, await listAdminJobs(deps, { ...request.query, byName: areEmailsMasked(request) })),
    adminExportJobs: async (request, reply) => {
      const pages = await exportJobs(deps, { ...request.query, byName: areEmailsMasked(request) });
      return sendExport(reply, { name: 'jobs', columns: jobColumns, pages, query: request.query });
    },
    adminGetJob: async (request) => getAdminJob(deps, request.params.id),
  });

export const adminJobWriteHandlers = (deps: Deps) =>
  defineHandlers({
    adminRetryJob: async (request) =>
      retryFailedJob(deps, { admin: await requireAdmin(deps, request), id: request.params.id, ...request.body }),
    adminRequeueJob: async (request) => {
      const { id } = request.params;
      await requeueJobForAdmin(deps, { admin: await requireAdmin(deps, request), id, ...request.body });
      return getAdminJob(deps, id);
    },
    adminCancelJob: async (request) => {
      const { id } = request.params;
      await cancelJobForAdmin(deps, { admin: await requireAdmin(deps, request), id, ...request.body });
      return getAdminJob(deps, id);
    },
  });

export const adminQueueHandlers = (deps: Deps) =>
  defineHandlers({
    adminPauseEngine: async (request) =>
      pauseEngine(deps, { admin: await requireAdmin(deps, request), engine: request.params.id, ...request.body }),
    adminDrainWorkers: async (request) =>
      setWorkersDraining(deps, { admin: await requireAdmin(deps, request), ...request.body }),
    adminDrainWorker: async (request) =>
      drainWorker(deps, { admin: await requireAdmin(deps, request), name: request.params.id, ...request.body }),
  });

export const adminPoolHandlers = (deps: Deps) =>
  defineHandlers({
    adminListPools: async () => readPools(deps),
    adminPutPool: async (request) => {
      await putPool(deps, { admin: await requireAdmin(deps, request), name: request.params.id, ...request.body });
      return readPools(deps);
    },
    adminDeletePool: async (request) => {
      await deletePool(deps, { admin: await requireAdmin(deps, request), name: request.params.id });
      return readPools(deps);
    },
    adminGetUserPool: async (request) => getAssignment(deps, request.params.id),
    adminSetUserPool: async (request) =>
      assignPool(deps, { admin: await requireAdmin(deps, request), userId: request.params.id, ...request.body }),
  });
