import { v1Docs } from '../docs/v1-docs.ts';
import { deletedJobSchema, jobSchema } from '../schemas/job.ts';
import { forKeys, forSession, reading, type SharedEndpoint, writing } from './both.ts';
import { idParams } from './endpoint.ts';

const shared = {
  getJob: {
    ...reading,
    scope: 'read',
    docs: v1Docs.job,
    params: idParams,
    answers: { 200: jobSchema },
    errors: ['job_not_found'],
  },
  deleteJob: {
    ...writing,
    web: [...writing.web, 'result_expired'],
    scope: 'process',
    docs: v1Docs.job,
    params: idParams,
    answers: { 200: deletedJobSchema },
    errors: ['job_not_found'],
  },
} as const satisfies Record<string, SharedEndpoint>;

/** Reading and deleting a job, of `/api` and of `/v1`. */
export const jobEndpoints = forSession(shared);
export const v1JobEndpoints = forKeys(shared);
