import * as z from 'zod';
import { drainBodySchema, jobSettingsSchema, pauseBodySchema } from '../../schemas/admin/job-settings.ts';
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
import { assignedPoolSchema, assignPoolBodySchema, poolBodySchema, poolsSchema } from '../../schemas/admin/pools.ts';
import { bytes, defineAdminEndpoints, idParams } from '../endpoint.ts';

const settings = {
  permission: 'jobs.operate',
  answers: { 200: jobSettingsSchema },
  errors: ['operations_changed'],
} as const;

const change = {
  permission: 'jobs.operate',
  params: idParams,
  body: changeJobBodySchema,
  answers: { 200: adminJobDetailsSchema },
  errors: ['job_not_found', 'job_changed'],
} as const;

/** The jobs of all accounts, and operating the queue. Engines and workers are identified by their names. */
export const adminJobEndpoints = defineAdminEndpoints({
  adminJobOverview: { permission: 'jobs.read', answers: { 200: jobOverviewSchema } },
  adminListJobs: {
    permission: 'jobs.read',
    query: adminJobsQuerySchema,
    answers: { 200: z.array(adminJobSchema) },
  },
  adminExportJobs: {
    permission: 'jobs.read',
    query: adminJobsExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminGetJob: {
    permission: 'jobs.read',
    params: idParams,
    answers: { 200: adminJobDetailsSchema },
    errors: ['job_not_found'],
  },
  adminRetryJob: {
    permission: 'jobs.retry',
    params: idParams,
    body: retryJobBodySchema,
    answers: { 200: retriedJobSchema },
    errors: ['job_not_found', 'job_changed', 'own_account', 'source_expired', 'account_suspended'],
  },
  adminRequeueJob: change,
  adminCancelJob: change,
  adminPauseEngine: { ...settings, params: idParams, body: pauseBodySchema },
  adminDrainWorkers: { ...settings, body: drainBodySchema },
  adminDrainWorker: { ...settings, params: idParams, body: drainBodySchema },
});

const pools = { permission: 'jobs.operate', params: idParams, answers: { 200: poolsSchema } } as const;
const account = { params: idParams, answers: { 200: assignedPoolSchema } } as const;

/** Pools of reserved workers, identified by their names, and who is assigned to them. */
export const adminPoolEndpoints = defineAdminEndpoints({
  adminListPools: { permission: 'jobs.read', answers: { 200: poolsSchema } },
  adminPutPool: { ...pools, body: poolBodySchema },
  adminDeletePool: pools,
  adminGetUserPool: { permission: 'users.read', ...account, errors: ['user_not_found'] },
  adminSetUserPool: {
    permission: 'users.manage',
    ...account,
    body: assignPoolBodySchema,
    errors: ['user_not_found', 'role_above_own'],
  },
});
