import * as z from 'zod';
import { uploadErrors } from '../errors/error-groups.ts';
import {
  batchItemSchema,
  batchSchema,
  bulkResultsSchema,
  bulkStartedSchema,
  manifestSchema,
  namingQuerySchema,
  newBatchSchema,
  pauseBatchSchema,
  retryBatchSchema,
} from '../schemas/jobs/batch.ts';
import { deletedJobSchema, jobListQuerySchema, jobSchema, newShareSchema, shareSchema } from '../schemas/jobs/job.ts';
import { localModelParams, localModelSchema } from '../schemas/jobs/local-model.ts';
import { receiptSchema } from '../schemas/jobs/receipt.ts';
import { v1ImageSchema, v1ItemFormSchema } from '../v1/forms.ts';
import { bytesSchema, defineEndpoints, defineShared } from './endpoint.ts';

export const imageBody = { 'image/*': v1ImageSchema, 'application/octet-stream': v1ImageSchema };
const linkErrors = ['job_not_found', 'job_not_finished', 'result_expired'] as const;
export const fileErrors = [...linkErrors, 'range_not_satisfiable'] as const;
export const signedFile = {
  params: z.object({
    id: z.string().describe('ID of the job.'),
    name: z.string().describe('File name of the result.'),
  }),
  query: z.object({
    exp: z.string().describe('Expiry of the signed URL, as a Unix time in seconds.'),
    sig: z.string().describe('Signature of the URL.'),
  }),
  answers: { 200: bytesSchema, 206: bytesSchema },
  errors: [...fileErrors, 'link_expired'],
} as const;
const batchCreationErrors = ['plan_feature', 'quota_exceeded', 'conflicting_params', 'queue_full'] as const;

const job = { docs: { responseHeaders: ['X-Job-Id'] }, errors: ['job_not_found'] } as const;
const batch = { answers: { 200: batchSchema }, errors: ['batch_not_found'] } as const;
/** With an API key, the key's monthly limit also applies. */
const chargedEndpoint = {
  scope: 'process',
  v1: [...uploadErrors, 'key_cap_exceeded'],
  charges: true,
  processes: true,
} as const;

const shared = defineShared({
  getJob: {
    route: 'GET /api/jobs/:id',
    ...job,
    docs: {
      ...job.docs,
      requestHeaders: ['Last-Event-ID'],
    },
    scope: 'read',
    answers: { 200: jobSchema },
  },
  deleteJob: { route: 'DELETE /api/jobs/:id', ...job, scope: 'process', answers: { 200: deletedJobSchema } },
  jobReceipt: {
    route: 'GET /api/jobs/:id/receipt',
    ...job,
    scope: 'read',
    answers: { 200: receiptSchema },
    errors: ['job_not_found', 'job_not_finished'],
  },
  putBatchItem: {
    route: 'PUT /api/batches/:id/items/:itemId',
    ...chargedEndpoint,
    docs: { requestBodies: { ...imageBody, 'multipart/form-data': v1ItemFormSchema } },
    params: z.object({ id: z.string().describe('ID of the batch.'), itemId: z.string().describe('ID of the item.') }),
    answers: { 200: batchItemSchema },
    errors: [...uploadErrors, 'batch_not_found', 'item_has_file', 'item_upload_running'],
  },
  getBatch: { route: 'GET /api/batches/:id', ...batch, scope: 'read' },
  cancelBatch: { route: 'POST /api/batches/:id/cancel', ...batch, scope: 'process' },
  retryBatch: {
    route: 'POST /api/batches/:id/retry',
    ...batch,
    ...chargedEndpoint,
    body: retryBatchSchema,
    errors: [...batchCreationErrors, 'batch_not_found', 'batch_cancelled'],
  },
  batchZip: {
    route: 'GET /api/batches/:id/zip',
    ...batch,
    scope: 'read',
    docs: { responseType: 'application/zip' },
    query: namingQuerySchema,
    answers: { 200: bytesSchema },
    errors: ['batch_not_found', 'job_not_finished', 'result_expired'],
  },
  batchManifest: {
    route: 'GET /api/batches/:id/manifest.json',
    ...batch,
    scope: 'read',
    query: namingQuerySchema,
    answers: { 200: manifestSchema },
  },
  batchManifestCsv: {
    route: 'GET /api/batches/:id/manifest.csv',
    ...batch,
    scope: 'read',
    docs: { responseType: 'text/csv' },
    query: namingQuerySchema,
    answers: { 200: bytesSchema },
  },
});

export const jobEndpoints = {
  ...shared.api,
  ...defineEndpoints('session', {
    processImage: {
      route: 'POST /api/images/process',
      answers: { 200: jobSchema, 202: jobSchema },
      errors: [...uploadErrors, 'result_expired'],
      charges: true,
      processes: true,
    },
    bulkProcess: {
      route: 'POST /api/images/bulk-process',
      answers: { 200: bulkResultsSchema, 202: bulkStartedSchema },
      errors: uploadErrors,
      charges: true,
      processes: true,
    },
    createBatch: {
      route: 'POST /api/batches',
      body: newBatchSchema,
      answers: { 201: batchSchema },
      errors: [...batchCreationErrors, 'idempotency_mismatch', 'url_not_allowed'],
      charges: true,
      processes: true,
    },
    pauseBatch: { route: 'POST /api/batches/:id/pause', ...batch, body: pauseBatchSchema },
    downloadImage: {
      route: 'GET /api/images/download/:id',
      answers: { 200: bytesSchema, 206: bytesSchema },
      errors: fileErrors,
    },
    thumbnail: {
      route: 'GET /api/images/thumbnail/:id',
      answers: { 200: bytesSchema },
      errors: fileErrors,
    },
    shareResult: {
      route: 'POST /api/jobs/:id/share',
      body: newShareSchema,
      answers: { 200: shareSchema },
      errors: linkErrors,
    },
    listJobs: { route: 'GET /api/jobs', query: jobListQuerySchema, answers: { 200: z.array(jobSchema) } },
    retryJob: {
      route: 'POST /api/jobs/:id/retry',
      answers: { 201: jobSchema },
      errors: [...uploadErrors, 'job_not_found', 'result_expired'],
      charges: true,
      processes: true,
    },
    events: { route: 'GET /api/events', answers: { 200: bytesSchema } },
  }),
  ...defineEndpoints('signature', { signedFile: { route: 'GET /api/files/:id/:name', ...signedFile } }),
};
export const v1JobEndpoints = shared.v1;

export const localModelEndpoints = defineEndpoints('none', {
  /** Returns an empty list if the gateway has no models. */
  listLocalModels: { route: 'GET /api/local-models', answers: { 200: z.array(localModelSchema) } },
  getLocalModel: {
    route: 'GET /local-models/:name',
    params: localModelParams,
    answers: { 200: bytesSchema },
    errors: ['model_not_found'],
  },
});
