import * as z from 'zod';
import { uploadErrors } from '../errors/upload-errors.ts';
import {
  batchItemSchema,
  batchSchema,
  bulkDoneSchema,
  bulkStartedSchema,
  manifestRowSchema,
  namingQuerySchema,
  newBatchSchema,
  retryBatchSchema,
} from '../schemas/batch.ts';
import { bytes, type Endpoint, idParams, signedIn, write } from './endpoint.ts';

const found = [...signedIn, 'batch_not_found'] as const;
const made = ['plan_feature', 'quota_exceeded', 'invalid_parameter', 'conflicting_params'] as const;
const files = ['batch_not_found', 'invalid_parameter', 'job_not_finished', 'result_expired'] as const;

/** Many images at once: in one form, or one by one. */
export const batchEndpoints = {
  bulkProcess: {
    answers: { 200: bulkDoneSchema, 202: bulkStartedSchema },
    errors: [...signedIn, ...write, ...uploadErrors, 'quota_exceeded'],
    auth: 'session',
    charges: true,
  },
  createBatch: {
    body: newBatchSchema,
    answers: { 201: batchSchema },
    errors: [...signedIn, ...write, ...made, 'idempotency_mismatch'],
    auth: 'session',
    charges: true,
  },
  putBatchItem: {
    params: z.object({ id: z.string(), itemId: z.string() }),
    answers: { 200: batchItemSchema },
    errors: [...signedIn, ...write, ...uploadErrors, 'batch_not_found', 'quota_exceeded'],
    auth: 'session',
    charges: true,
  },
  getBatch: { params: idParams, answers: { 200: batchSchema }, errors: found, auth: 'session' },
  cancelBatch: { params: idParams, answers: { 200: batchSchema }, errors: [...found, ...write], auth: 'session' },
  retryBatch: {
    params: idParams,
    body: retryBatchSchema,
    answers: { 200: batchSchema },
    errors: [...found, ...write, ...made, 'batch_cancelled'],
    auth: 'session',
    charges: true,
  },
  batchZip: {
    params: idParams,
    query: namingQuerySchema,
    answers: { 200: bytes },
    errors: [...signedIn, ...files],
    auth: 'session',
  },
  batchManifestCsv: {
    params: idParams,
    query: namingQuerySchema,
    answers: { 200: bytes },
    errors: [...found, 'invalid_parameter'],
    auth: 'session',
  },
  batchManifest: {
    params: idParams,
    query: namingQuerySchema,
    answers: { 200: z.array(manifestRowSchema) },
    errors: [...found, 'invalid_parameter'],
    auth: 'session',
  },
} as const satisfies Record<string, Endpoint>;
