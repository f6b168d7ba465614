import { drainBodySchema, jobSettingsSchema, pauseBodySchema } from '../schemas/job-settings.ts';
import { defineAdminEndpoints, idParams } from './endpoint.ts';

const settings = {
  permission: 'jobs.operate',
  answers: { 200: jobSettingsSchema },
  errors: ['operations_changed'],
} as const;

/** Operating the queue. The IDs are the name of an engine, and `WORKER_NAME`. */
export const adminJobEndpoints = defineAdminEndpoints({
  adminPauseEngine: { ...settings, params: idParams, body: pauseBodySchema },
  adminDrainWorkers: { ...settings, body: drainBodySchema },
  adminDrainWorker: { ...settings, params: idParams, body: drainBodySchema },
});
