import * as z from 'zod';
import { uploadErrors } from '../errors/error-groups.ts';
import { adminStatsSchema } from '../schemas/admin/users.ts';
import { estimateBodySchema } from '../schemas/jobs/estimate.ts';
import {
  v1BulkFormSchema,
  v1EstimateFormSchema,
  v1FieldsSchema,
  v1NewBatchFormSchema,
  v1ProcessFormSchema,
  v1ProcessJsonSchema,
} from '../v1/forms.ts';
import { resultTypes } from '../v1/headers.ts';
import { v1BatchListQuerySchema, v1JobListQuerySchema, v1Schemas } from '../v1/schemas.ts';
import { toV1Schema } from '../v1/to-v1-schema.ts';
import { bytesSchema, defineEndpoints, type Endpoint, type EndpointDocs } from './endpoint.ts';
import { v1ImageEndpoints } from './image-urls.ts';
import { fileErrors, imageBody, signedFile, v1JobEndpoints } from './jobs.ts';
import type { mcpRoutes, serviceRoutes, v1Routes } from './routes-v1.ts';
import { webhookEndpoints } from './webhooks.ts';

const formMediaType = 'multipart/form-data';
const json = 'application/json';
const chargedEndpoint = {
  errors: [...uploadErrors, 'key_cap_exceeded'],
  scope: 'process',
  charges: true,
  processes: true,
} as const;

const fileDocs = {
  requestHeaders: ['Range', 'If-None-Match'],
  responseHeaders: ['ETag', 'Content-Disposition'],
  responseType: 'image/*',
  otherStatuses: { 304: 'The file has not changed (`If-None-Match`).' },
} as const satisfies EndpointDocs;

const processEndpoint = {
  ...chargedEndpoint,
  errors: [...chargedEndpoint.errors, 'not_acceptable', 'result_expired'],
  docs: {
    requestBodies: { [formMediaType]: v1ProcessFormSchema, ...imageBody, [json]: v1ProcessJsonSchema },
    queryFields: v1FieldsSchema,
    requestHeaders: ['Idempotency-Key', 'Prefer'],
    responseHeaders: ['X-Job-Id', 'Location', 'X-Cache', 'Preference-Applied', 'Link', ...fileDocs.responseHeaders],
    statuses: { 202: 'Accepted. Processing continues. The body is empty if `Accept` excludes JSON.' },
    otherTypes: {
      [resultTypes.images]: 'The image, in the format of its content type.',
      [resultTypes.octets]: 'The image, in any format.',
      [resultTypes.events]: 'Server-sent events named `job`. The data of each event is a job.',
    },
  },
  answers: { 200: z.union([v1Schemas.Job, v1Schemas.DryRun]), 202: v1Schemas.Job },
} as const;
const batchEndpoint = {
  ...chargedEndpoint,
  docs: {
    requestBodies: { [json]: v1NewBatchFormSchema, [formMediaType]: v1BulkFormSchema },
    requestHeaders: ['Idempotency-Key', 'Prefer'],
    responseHeaders: ['Location'],
  },
  answers: { 200: v1Schemas.Batch, 201: v1Schemas.Batch, 202: v1Schemas.Batch },
} as const;

/** Processing requests accept several content types, so `docs` describes their bodies. */
export const v1Endpoints = {
  ...v1JobEndpoints,
  ...v1ImageEndpoints,
  ...webhookEndpoints.v1,
  v1JobStatus: { ...v1JobEndpoints.v1GetJob, route: 'GET /v1/status/:id' },
  ...defineEndpoints('key', {
    v1Account: { route: 'GET /v1/account', answers: { 200: v1Schemas.Account }, scope: 'read' },
    v1Process: { route: 'POST /v1/process', ...processEndpoint },
    v1Resize: { route: 'POST /v1/resize', ...processEndpoint },
    v1JobResult: {
      route: 'GET /v1/jobs/:id/result',
      docs: { ...fileDocs, responseHeaders: ['X-Job-Id', ...fileDocs.responseHeaders] },
      answers: { 200: bytesSchema, 206: bytesSchema },
      // If the job failed, the response is the job's error.
      errors: [...fileErrors, ...uploadErrors],
      scope: 'read',
    },
    v1ListJobs: {
      route: 'GET /v1/jobs',
      query: v1JobListQuerySchema,
      answers: { 200: v1Schemas.JobList },
      scope: 'read',
    },
    v1ListBatches: {
      route: 'GET /v1/batches',
      query: v1BatchListQuerySchema,
      answers: { 200: v1Schemas.BatchList },
      scope: 'read',
    },
    v1CreateBatch: { route: 'POST /v1/batches', ...batchEndpoint },
    v1Bulk: { route: 'POST /v1/bulk', ...batchEndpoint },
    v1Estimate: {
      route: 'POST /v1/estimate',
      docs: { requestBodies: { [json]: v1EstimateFormSchema } },
      body: estimateBodySchema,
      answers: { 200: v1Schemas.Estimate },
      errors: ['conflicting_params'],
      scope: 'process',
    },
    v1Engines: { route: 'GET /v1/engines', answers: { 200: v1Schemas.EngineList }, scope: 'read' },
  }),
  ...defineEndpoints('signature', {
    v1File: {
      route: 'GET /v1/files/:id/:name',
      ...signedFile,
      docs: { ...fileDocs, otherStatuses: { 302: 'The file is at another URL.', ...fileDocs.otherStatuses } },
    },
  }),
  ...defineEndpoints('none', {
    v1OpenApi: { route: 'GET /v1/openapi.json', answers: { 200: bytesSchema } },
    v1Postman: { route: 'GET /v1/postman.json', answers: { 200: bytesSchema } },
  }),
} satisfies Record<keyof typeof v1Routes, Endpoint>;

export const serviceEndpoints = defineEndpoints('service', {
  v1AdminStats: { route: 'GET /v1/admin/stats', answers: { 200: toV1Schema(adminStatsSchema) }, scope: 'admin:read' },
}) satisfies Record<keyof typeof serviceRoutes, Endpoint>;

/**
 * Endpoint of the Model Context Protocol. It has no scope of its own, because its tools call the public API with the
 * same key, and those requests check the scope.
 */
export const mcpEndpoints = defineEndpoints('key', {
  mcp: {
    route: 'POST /mcp',
    // The body is a message or a stream of messages, or empty after a notification. The protocol defines the other
    // statuses.
    answers: { 200: bytesSchema, 202: bytesSchema, 400: bytesSchema, 406: bytesSchema, 415: bytesSchema },
    errors: ['file_too_large', 'unsupported_encoding'],
  },
}) satisfies Record<keyof typeof mcpRoutes, Endpoint>;
