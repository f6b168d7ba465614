import type { EndpointDocs } from '../endpoints/endpoint.ts';
import {
  v1BulkFormSchema,
  v1EstimateFormSchema,
  v1FieldsSchema,
  v1ImageSchema,
  v1ItemFormSchema,
  v1NewBatchFormSchema,
  v1ProcessFormSchema,
  v1ProcessJsonSchema,
} from '../v1/forms.ts';

const imageBody = { 'image/*': v1ImageSchema, 'application/octet-stream': v1ImageSchema };
const form = 'multipart/form-data';
const json = 'application/json';

/** Documentation of endpoints that their schemas don't express. */
export const v1Docs = {
  process: {
    requestBodies: { [form]: v1ProcessFormSchema, ...imageBody, [json]: v1ProcessJsonSchema },
    queryFields: v1FieldsSchema,
    requestHeaders: ['Idempotency-Key', 'Prefer'],
    responseHeaders: ['X-Job-Id', 'Location', 'X-Cache', 'Preference-Applied'],
  },
  job: { responseHeaders: ['X-Job-Id'] },
  file: {
    requestHeaders: ['Range'],
    responseType: 'image/*',
    otherStatuses: {
      302: 'The file is at another URL.',
      304: 'The file has not changed (`If-None-Match`).',
      416: 'The range is not within the file.',
    },
  },
  batches: {
    requestBodies: { [json]: v1NewBatchFormSchema, [form]: v1BulkFormSchema },
    requestHeaders: ['Idempotency-Key', 'Prefer'],
    responseHeaders: ['Location'],
  },
  putItem: { requestBodies: { ...imageBody, [form]: v1ItemFormSchema } },
  zip: { responseType: 'application/zip' },
  csv: { responseType: 'text/csv' },
  estimate: { requestBodies: { [json]: v1EstimateFormSchema } },
} as const satisfies Record<string, EndpointDocs>;
