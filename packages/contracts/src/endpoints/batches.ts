import * as z from 'zod';
import { v1Docs } from '../docs/v1-docs.ts';
import { uploadErrors } from '../errors/upload-errors.ts';
import {
  batchItemSchema,
  batchSchema,
  bulkDoneSchema,
  bulkStartedSchema,
  manifestSchema,
  namingQuerySchema,
  newBatchSchema,
  retryBatchSchema,
} from '../schemas/batch.ts';
import { forKeys, forSession, reading, type SharedEndpoint, writing } from './both.ts';
import { bytes, type Endpoint, idParams, signedIn, write } from './endpoint.ts';

const made = ['plan_feature', 'quota_exceeded', 'invalid_parameter', 'conflicting_params'] as const;
const reads = { ...reading, scope: 'read', params: idParams } as const;
const writes = { ...writing, scope: 'process', params: idParams } as const;
/** Requests that are charged. With an API key, the credits of the key can be used up. */
const charged = { ...writes, v1: [...writes.v1, ...uploadErrors, 'key_cap_exceeded'], charges: true } as const;

const shared = {
  putBatchItem: {
    ...charged,
    docs: v1Docs.putItem,
    params: z.object({ id: z.string().describe('ID of the batch.'), itemId: z.string().describe('ID of the item.') }),
    answers: { 200: batchItemSchema },
    errors: [...uploadErrors, 'batch_not_found', 'quota_exceeded'],
  },
  getBatch: { ...reads, answers: { 200: batchSchema }, errors: ['batch_not_found'] },
  cancelBatch: { ...writes, answers: { 200: batchSchema }, errors: ['batch_not_found'] },
  retryBatch: {
    ...charged,
    body: retryBatchSchema,
    answers: { 200: batchSchema },
    errors: [...made, 'batch_not_found', 'batch_cancelled'],
  },
  batchZip: {
    ...reads,
    docs: v1Docs.zip,
    query: namingQuerySchema,
    answers: { 200: bytes },
    errors: ['batch_not_found', 'invalid_parameter', 'job_not_finished', 'result_expired'],
  },
  batchManifest: {
    ...reads,
    query: namingQuerySchema,
    answers: { 200: manifestSchema },
    errors: ['batch_not_found', 'invalid_parameter'],
  },
  batchManifestCsv: {
    ...reads,
    docs: v1Docs.csv,
    query: namingQuerySchema,
    answers: { 200: bytes },
    errors: ['batch_not_found', 'invalid_parameter'],
  },
} as const satisfies Record<string, SharedEndpoint>;

/** Batches of the web app. */
export const batchEndpoints = {
  ...forSession(shared),
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
} as const satisfies Record<string, Endpoint>;

/** Batches of the public API, once they are created. */
export const v1BatchEndpoints = forKeys(shared);
