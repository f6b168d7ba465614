import * as z from 'zod';
import { uploadErrors } from '../errors/upload-errors.ts';
import { engineSchema } from '../schemas/engine-list.ts';
import { healthSchema, readinessSchema } from '../schemas/health.ts';
import { jobListQuerySchema, jobSchema } from '../schemas/job.ts';
import { receiptSchema } from '../schemas/receipt.ts';
import { accountEndpoints } from './account.ts';
import { adminEndpoints } from './admin.ts';
import { batchEndpoints } from './batches.ts';
import { bytes, type Endpoint, idParams, signedIn, write } from './endpoint.ts';
import { jobEndpoints } from './jobs.ts';
import { keyEndpoints } from './keys.ts';
import { meteringEndpoints } from './metering.ts';
import { imageEndpoints } from './previews.ts';
import type { RouteName } from './routes.ts';
import { usageEndpoints } from './usage.ts';
import { v1Endpoints } from './v1.ts';
import { webhookEndpoints } from './webhooks.ts';

const fileErrors = ['job_not_found', 'job_not_finished', 'result_expired'] as const;

/** The whole HTTP contract: what each call takes and answers. Validation, replies, client types and docs derive from it. */
export const endpoints = {
  ...accountEndpoints,
  ...adminEndpoints,
  ...meteringEndpoints,
  ...keyEndpoints,
  ...batchEndpoints,
  ...usageEndpoints,
  ...imageEndpoints,
  ...webhookEndpoints,
  ...v1Endpoints,
  processImage: {
    answers: { 200: jobSchema, 202: jobSchema },
    errors: [...signedIn, ...write, ...uploadErrors],
    auth: 'session',
    charges: true,
  },
  downloadImage: {
    params: idParams,
    answers: { 200: bytes, 206: bytes },
    errors: [...signedIn, ...fileErrors],
    auth: 'session',
  },
  thumbnail: { params: idParams, answers: { 200: bytes }, errors: [...signedIn, ...fileErrors], auth: 'session' },
  signedFile: {
    params: z.object({ id: z.string(), name: z.string() }),
    query: z.object({ exp: z.string(), sig: z.string() }),
    answers: { 200: bytes, 206: bytes },
    errors: [...fileErrors, 'invalid_parameter'],
    auth: 'signature',
  },
  listJobs: {
    query: jobListQuerySchema,
    answers: { 200: z.array(jobSchema) },
    errors: [...signedIn, 'invalid_parameter'],
    auth: 'session',
  },
  jobReceipt: {
    params: idParams,
    answers: { 200: receiptSchema },
    errors: [...signedIn, 'job_not_found', 'job_not_finished'],
    auth: 'session',
  },
  ...jobEndpoints,
  listEngines: { answers: { 200: z.array(engineSchema) }, errors: [], auth: 'none' },
  events: { answers: { 200: bytes }, errors: [...signedIn], auth: 'session' },
  llms: { answers: { 200: bytes }, errors: [], auth: 'none' },
  health: { answers: { 200: healthSchema }, errors: [], auth: 'none' },
  readiness: { answers: { 200: readinessSchema, 503: readinessSchema }, errors: [], auth: 'none' },
} as const satisfies Record<RouteName, Endpoint>;

export type Endpoints = typeof endpoints;
