import * as z from 'zod';
import { bytes, type Endpoint, idParams, signedIn, write } from './endpoint.ts';
import { accountEndpoints } from './endpoints-account.ts';
import { adminEndpoints } from './endpoints-admin.ts';
import { batchEndpoints } from './endpoints-batches.ts';
import { keyEndpoints } from './endpoints-keys.ts';
import { meteringEndpoints } from './endpoints-metering.ts';
import { pictureEndpoints } from './endpoints-pictures.ts';
import { usageEndpoints } from './endpoints-usage.ts';
import { v1Endpoints } from './endpoints-v1.ts';
import { webhookEndpoints } from './endpoints-webhooks.ts';
import { engineSchema } from './engine-list.ts';
import { healthSchema, readinessSchema } from './health.ts';
import { deletionReceiptSchema, jobListQuerySchema, jobSchema } from './job.ts';
import { receiptSchema } from './receipt.ts';
import type { RouteName } from './routes.ts';
import { uploadErrors } from './upload-errors.ts';

const fileErrors = ['job_not_found', 'job_not_finished', 'result_expired'] as const;

/** The whole HTTP contract: what each call takes and answers. Validation, replies, client types and docs derive from it. */
export const endpoints = {
  ...accountEndpoints,
  ...adminEndpoints,
  ...meteringEndpoints,
  ...keyEndpoints,
  ...batchEndpoints,
  ...usageEndpoints,
  ...pictureEndpoints,
  ...webhookEndpoints,
  ...v1Endpoints,
  processImage: {
    answers: { 200: jobSchema, 202: jobSchema },
    errors: [...signedIn, ...write, ...uploadErrors],
    auth: 'session',
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
  getJob: { params: idParams, answers: { 200: jobSchema }, errors: [...signedIn, 'job_not_found'], auth: 'session' },
  deleteJob: {
    params: idParams,
    answers: { 200: z.union([deletionReceiptSchema, jobSchema]) },
    errors: [...signedIn, ...write, 'job_not_found', 'result_expired'],
    auth: 'session',
  },
  listEngines: { answers: { 200: z.array(engineSchema) }, errors: [], auth: 'none' },
  events: { answers: { 200: bytes }, errors: [...signedIn], auth: 'session' },
  llms: { answers: { 200: bytes }, errors: [], auth: 'none' },
  health: { answers: { 200: healthSchema }, errors: [], auth: 'none' },
  readiness: { answers: { 200: readinessSchema, 503: readinessSchema }, errors: [], auth: 'none' },
} as const satisfies Record<RouteName, Endpoint>;

export type Endpoints = typeof endpoints;
