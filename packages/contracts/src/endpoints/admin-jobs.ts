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
} from '../schemas/admin-jobs.ts';
import { drainBodySchema, jobSettingsSchema, pauseBodySchema } from '../schemas/job-settings.ts';
import { bytes, defineAdminEndpoints, idParams } from './endpoint.ts';

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
