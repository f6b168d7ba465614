import type { v1Routes } from '../endpoints/routes-v1.ts';

/** `tag`: the subject that it is listed under. `says`: what it does, one sentence. */
export type V1Summary = { tag: string; says: string };
const summary = (tag: string, says: string): V1Summary => ({ tag, says });

/** Every call of the public API. */
export const v1Summaries: Record<keyof typeof v1Routes, V1Summary> = {
  v1Process: summary('Images', 'Enlarge or shrink an image'),
  v1Resize: summary('Images', 'Enlarge or shrink an image (another name of /v1/process)'),
  v1Estimate: summary('Images', 'What a job would make, take and be charged'),
  v1Engines: summary('Images', 'List the engines'),
  v1ListJobs: summary('Jobs', 'List jobs, the newest first'),
  v1GetJob: summary('Jobs', 'Read a job'),
  v1JobStatus: summary('Jobs', 'Read a job (another name of /v1/jobs/{id})'),
  v1DeleteJob: summary('Jobs', 'Cancel a job, or delete its result now'),
  v1File: summary('Jobs', 'Download a result by its signed link'),
  v1CreateBatch: summary('Batches', 'Make a batch of many images'),
  v1Bulk: summary('Batches', 'Make a batch of many images (another name of /v1/batches)'),
  v1PutBatchItem: summary('Batches', 'Send the file of one item of a batch'),
  v1GetBatch: summary('Batches', 'Read a batch'),
  v1CancelBatch: summary('Batches', 'Cancel what has not started of a batch'),
  v1RetryBatch: summary('Batches', 'Try the failed items of a batch again'),
  v1BatchZip: summary('Batches', 'Download all results of a batch as one archive'),
  v1BatchManifest: summary('Batches', 'Read what became of each item of a batch'),
  v1BatchManifestCsv: summary('Batches', 'The same as a table (CSV)'),
  v1Account: summary('Account', 'Read the plan, and what is left of it'),
  v1ListWebhooks: summary('Webhooks', 'List webhook endpoints'),
  v1CreateWebhook: summary('Webhooks', 'Make a webhook endpoint; the answer carries its secret, once'),
  v1GetWebhook: summary('Webhooks', 'Read a webhook endpoint'),
  v1UpdateWebhook: summary('Webhooks', 'Change a webhook endpoint, or switch it off and on'),
  v1DeleteWebhook: summary('Webhooks', 'Delete a webhook endpoint'),
  v1RotateWebhookSecret: summary('Webhooks', 'Make a new secret; both sign for a while'),
  v1TestWebhook: summary('Webhooks', 'Send a test event to an endpoint'),
  v1ResendWebhook: summary('Webhooks', 'Send all events since a time once more'),
  v1ListWebhookDeliveries: summary('Webhooks', 'List the deliveries of an endpoint, the newest first'),
  v1GetWebhookDelivery: summary('Webhooks', 'Read a delivery: what was sent, and what was answered'),
  v1ResendWebhookDelivery: summary('Webhooks', 'Send a delivery once more'),
  v1ListEvents: summary('Webhooks', 'List what happened in the last 30 days, the oldest first'),
  v1OpenApi: summary('Documentation', 'This description, as an OpenAPI 3.1 document'),
  v1Postman: summary('Documentation', 'The same as a Postman collection'),
};
