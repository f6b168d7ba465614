import * as z from 'zod';
import { v1Docs } from '../docs/v1-docs.ts';
import { uploadErrors } from '../errors/upload-errors.ts';
import { v1AccountSchema } from '../schemas/api-keys.ts';
import { estimateBodySchema } from '../schemas/estimate.ts';
import { v1BatchListQuerySchema, v1BatchListSchema, v1BatchSchema } from '../v1/batch.ts';
import { v1DryRunSchema, v1EngineListSchema, v1EstimateSchema } from '../v1/estimate.ts';
import { v1JobListQuerySchema, v1JobListSchema, v1JobSchema } from '../v1/job.ts';
import { v1BatchEndpoints } from './batches.ts';
import * as shared from './both.ts';
import { bytes, type Endpoint } from './endpoint.ts';
import { v1JobEndpoints } from './jobs.ts';
import type { v1Routes } from './routes-v1.ts';
import { v1WebhookEndpoints } from './webhooks.ts';

const reading = shared.reading.v1;
const writing = shared.writing.v1;
const making = [...writing, ...uploadErrors, 'key_cap_exceeded'] as const;

const process = {
  docs: v1Docs.process,
  answers: { 200: z.union([v1JobSchema, v1DryRunSchema]), 202: v1JobSchema },
  errors: making,
  auth: 'key',
  scope: 'process',
  charges: true,
} as const;
const batches = {
  docs: v1Docs.batches,
  answers: { 200: v1BatchSchema, 201: v1BatchSchema, 202: v1BatchSchema },
  errors: making,
  auth: 'key',
  scope: 'process',
  charges: true,
} as const;

/** The public API. `v1-docs.ts` holds the bodies of processing requests, which are parsed by content type. */
export const v1Endpoints = {
  v1Account: {
    answers: { 200: v1AccountSchema },
    errors: reading,
    auth: 'key',
    scope: 'read',
  },
  v1Process: process,
  v1Resize: process,
  v1ListJobs: {
    query: v1JobListQuerySchema,
    answers: { 200: v1JobListSchema },
    errors: [...reading, 'invalid_parameter'],
    auth: 'key',
    scope: 'read',
  },
  ...v1JobEndpoints,
  v1JobStatus: v1JobEndpoints.v1GetJob,
  v1File: {
    docs: v1Docs.file,
    params: z.object({
      id: z.string().describe('ID of the job.'),
      name: z.string().describe('File name of the result.'),
    }),
    query: z.object({
      exp: z.string().describe('Expiry of the signed URL, as a Unix time in seconds.'),
      sig: z.string().describe('Signature of the URL.'),
    }),
    answers: { 200: bytes, 206: bytes },
    errors: ['job_not_found', 'job_not_finished', 'result_expired', 'invalid_parameter', 'unsupported_encoding'],
    auth: 'signature',
  },
  v1ListBatches: {
    query: v1BatchListQuerySchema,
    answers: { 200: v1BatchListSchema },
    errors: [...reading, 'invalid_parameter'],
    auth: 'key',
    scope: 'read',
  },
  v1CreateBatch: batches,
  v1Bulk: batches,
  ...v1BatchEndpoints,
  v1Estimate: {
    docs: v1Docs.estimate,
    body: estimateBodySchema,
    answers: { 200: v1EstimateSchema },
    errors: [...writing, 'invalid_parameter', 'conflicting_params'],
    auth: 'key',
    scope: 'process',
  },
  ...v1WebhookEndpoints,
  v1Engines: { answers: { 200: v1EngineListSchema }, errors: reading, auth: 'key', scope: 'read' },
  v1OpenApi: { answers: { 200: bytes }, errors: ['unsupported_encoding'], auth: 'none' },
  v1Postman: { answers: { 200: bytes }, errors: ['unsupported_encoding'], auth: 'none' },
} as const satisfies Record<keyof typeof v1Routes, Endpoint>;
