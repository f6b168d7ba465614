import * as z from 'zod';
import {
  adminJobDetailsSchema,
  adminJobSchema,
  adminJobsExportSchema,
  adminJobsQuerySchema,
  changeJobBodySchema,
  jobOverviewSchema,
  retriedJobSchema,
  retryJobBodySchema,
} from '../../schemas/admin/jobs.ts';
import {
  assignedPoolSchema,
  assignPoolBodySchema,
  drainBodySchema,
  jobSettingsSchema,
  pauseBodySchema,
  poolBodySchema,
  poolsSchema,
} from '../../schemas/admin/workers.ts';
import { defineAdminEndpoints, exportOf } from '../endpoint.ts';

const settings = {
  permission: 'jobs.operate',
  answers: { 200: jobSettingsSchema },
  errors: ['operations_changed'],
} as const;

const changeEndpoint = {
  permission: 'jobs.operate',
  body: changeJobBodySchema,
  answers: { 200: adminJobDetailsSchema },
  errors: ['job_not_found', 'job_changed'],
} as const;

/** The `:id` of an engine or worker is its name. */
export const adminJobEndpoints = defineAdminEndpoints({
  adminJobOverview: {
    route: 'GET /api/admin/jobs/overview',
    permission: 'jobs.read',
    answers: { 200: jobOverviewSchema },
  },
  adminListJobs: {
    route: 'GET /api/admin/jobs',
    permission: 'jobs.read',
    query: adminJobsQuerySchema,
    answers: { 200: z.array(adminJobSchema) },
  },
  adminExportJobs: {
    route: 'GET /api/admin/jobs/export',
    permission: 'jobs.read',
    ...exportOf(adminJobsExportSchema),
  },
  adminGetJob: {
    route: 'GET /api/admin/jobs/:id',
    permission: 'jobs.read',
    answers: { 200: adminJobDetailsSchema },
    errors: ['job_not_found'],
  },
  adminRetryJob: {
    route: 'POST /api/admin/jobs/:id/retry',
    permission: 'jobs.retry',
    body: retryJobBodySchema,
    answers: { 200: retriedJobSchema },
    errors: ['job_not_found', 'job_changed', 'own_account', 'source_expired', 'account_suspended'],
  },
  adminRequeueJob: { route: 'POST /api/admin/jobs/:id/requeue', ...changeEndpoint },
  adminCancelJob: { route: 'POST /api/admin/jobs/:id/cancel', ...changeEndpoint },
  adminPauseEngine: { route: 'PUT /api/admin/engines/:id', ...settings, body: pauseBodySchema },
  adminDrainWorkers: { route: 'PUT /api/admin/workers', ...settings, body: drainBodySchema },
  adminDrainWorker: { route: 'PUT /api/admin/workers/:id', ...settings, body: drainBodySchema },
});

const pools = { permission: 'jobs.operate', answers: { 200: poolsSchema } } as const;

/** The `:id` of a pool is its name. */
export const adminPoolEndpoints = defineAdminEndpoints({
  adminListPools: { route: 'GET /api/admin/pools', permission: 'jobs.read', answers: { 200: poolsSchema } },
  adminPutPool: { route: 'PUT /api/admin/pools/:id', ...pools, body: poolBodySchema },
  adminDeletePool: { route: 'DELETE /api/admin/pools/:id', ...pools },
  adminGetUserPool: {
    route: 'GET /api/admin/users/:id/pool',
    permission: 'users.read',
    answers: { 200: assignedPoolSchema },
    errors: ['user_not_found'],
  },
  adminSetUserPool: {
    route: 'PUT /api/admin/users/:id/pool',
    permission: 'users.manage',
    answers: { 200: assignedPoolSchema },
    body: assignPoolBodySchema,
    errors: ['user_not_found', 'role_above_own'],
  },
});
