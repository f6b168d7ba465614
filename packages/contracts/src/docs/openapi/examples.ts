import type { v1Routes } from '../../endpoints/routes-v1.ts';
import type { Account } from '../../schemas/dashboard.ts';
import type { PublicManifestRow } from '../../schemas/jobs/batch.ts';
import type { Engine, Estimate } from '../../schemas/jobs/estimate.ts';
import type { WebhookDeliveryDetail, WebhookDeliveryView, WebhookView } from '../../schemas/webhooks.ts';
import { type V1Event, v1JobEventSchema } from '../../v1/events.ts';
import type { SnakeCaseKeys } from '../../v1/fields.ts';
import type { V1Batch, V1Job } from '../../v1/schemas.ts';

const webhookId = '0199a3c6-2f10-7b5c-8d4e-1a2b3c4d5e6f';
const eventId = '0199a3c6-8a01-7e2d-9b3c-4d5e6f7a8b9c';
const deliveryId = '0199a3c6-8a02-7f3e-8c4d-5e6f7a8b9c0d';
const createdAt = '2026-11-21T12:00:00.000Z';
const sentAt = '2026-11-21T12:00:05.000Z';

const webhook: SnakeCaseKeys<WebhookView> = {
  id: webhookId,
  kind: 'endpoint',
  url: 'https://example.com/hooks/uprez',
  description: 'Production',
  events: ['job.completed', 'job.failed'],
  sandbox: false,
  is_active: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_delivered_at: sentAt,
  former_secret_until: null,
  created_at: createdAt,
};
const webhookWithSecret = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' };
const delivery: SnakeCaseKeys<WebhookDeliveryView> = {
  id: deliveryId,
  event_id: eventId,
  event_type: 'job.completed',
  subject: 'photo.jpg',
  url: 'https://example.com/hooks/uprez',
  status: 'delivered',
  attempts: 1,
  response_status: 204,
  error: null,
  created_at: createdAt,
  last_attempt_at: sentAt,
  next_attempt_at: null,
};

/** Creates an example event for a completed job. */
export function makeExampleEvent(job: V1Job): V1Event {
  const data = v1JobEventSchema.parse({ ...job, sequence: 1, batch_id: null });
  return {
    id: eventId,
    type: 'job.completed',
    timestamp: sentAt,
    sandbox: job.sandbox,
    data,
  };
}

function makeWebhookExamples(job: V1Job) {
  const event = makeExampleEvent(job);
  const detail: SnakeCaseKeys<WebhookDeliveryDetail> = {
    ...delivery,
    body: JSON.stringify(event),
    attempt_log: [{ number: 1, at: sentAt, duration_ms: 83, response_status: 204, response_body: '', error: null }],
  };
  return {
    v1ListWebhooks: { data: [webhook], next_cursor: null },
    v1CreateWebhook: webhookWithSecret,
    v1GetWebhook: webhook,
    v1UpdateWebhook: webhook,
    v1RotateWebhookSecret: webhookWithSecret,
    v1TestWebhook: delivery,
    v1ResendWebhook: { events: 12 },
    v1ListWebhookDeliveries: { data: [delivery], next_cursor: null },
    v1GetWebhookDelivery: detail,
    v1ResendWebhookDelivery: delivery,
    v1ListEvents: { data: [event], next_cursor: null },
  };
}

const webhookBodies = {
  v1CreateWebhook: { url: 'https://example.com/hooks/uprez', events: ['job.completed', 'job.failed'] },
  v1UpdateWebhook: { is_active: false },
  v1RotateWebhookSecret: { overlap_hours: 24 },
  v1ResendWebhook: { since: '2026-11-20T00:00:00Z' },
};

type V1RouteName = keyof typeof v1Routes;

const id = '0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e';
const batchId = '0199a3c5-0e11-7d3a-8f2b-6c5d4e3f2a1b';
const itemId = '0199a3c5-0e12-7a4b-9c3d-7e6f5a4b3c2d';
const digest = '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea';
const expiresAt = '2026-11-22T12:00:04.000Z';

export const makeExampleJob = (host: string): V1Job => ({
  id,
  job_id: id,
  success: true,
  status: 'completed',
  progress: 100,
  filename: 'photo.jpg',
  scale_factor: 4,
  format: 'jpeg',
  quality: 85,
  engine: 'photo-fast',
  original_size: { width: 640, height: 480, file_size: 81_234 },
  processed_size: { width: 2_560, height: 1_920, file_size: 742_108 },
  processing_time_ms: 3_140,
  processing_time: 3.14,
  fidelity: 96.4,
  estimated_seconds: 3.2,
  credits: 1,
  cached: false,
  download_url: `${host}/v1/files/${id}/photo-4x.jpg?exp=1795262400&sig=3q2-7wX0`,
  status_url: `${host}/v1/jobs/${id}`,
  created_at: createdAt,
  expires_at: expiresAt,
  sandbox: false,
  notes: [],
});
const makeExampleBatch = (host: string): V1Batch => ({
  id: batchId,
  batch_id: batchId,
  status: 'active',
  progress: 0,
  counts: { total: 1, waiting: 1, queued: 0, processing: 0, completed: 0, failed: 0, cancelled: 0, expired: 0 },
  recipe: { scale_factor: 2, format: 'webp', quality: 85 },
  sandbox: false,
  status_url: `${host}/v1/batches/${batchId}`,
  zip_url: `${host}/v1/batches/${batchId}/zip`,
  created_at: createdAt,
  expires_at: expiresAt,
  items: [
    {
      id: itemId,
      client_id: 'cover',
      name: 'cover.png',
      relative_path: '',
      size: 120_345,
      status: 'waiting',
      progress: 0,
      job_id: null,
      download_url: null,
      upload_url: `${host}/v1/batches/${batchId}/items/${itemId}`,
      delivery: null,
      notes: [],
      error: null,
    },
  ],
  notes: [],
});
const estimate: SnakeCaseKeys<Estimate> = {
  width: 2_560,
  height: 1_920,
  bytes: 740_000,
  seconds: 3.2,
  min_seconds: 1.4,
  wait_seconds: 0,
  units: 1,
  meter: 'shared',
  paused_engine: null,
};
const account: SnakeCaseKeys<Account> = {
  plan: { key: 'api_basic', name: 'API Basic' },
  calls_per_minute: 120,
  hard_stop: true,
  quota: [{ meter: 'shared', included: 1_000, granted: 0, used: 12, left: 988, resets_at: '2026-12-01T00:00:00.000Z' }],
  key: {
    id: '0199a3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
    name: 'Production',
    kind: 'live',
    scopes: ['process', 'read'],
    expires_at: null,
    monthly_cap: null,
    units_this_month: 12,
  },
};

const engines: { data: SnakeCaseKeys<Engine>[]; next_cursor: null } = {
  data: [
    {
      name: 'photo-fast',
      meter: 'ai',
      says: 'Photos, fast',
      is_auto: true,
      available: true,
      paused: false,
      installing: false,
      device: 'cpu',
      variant: null,
      reason: null,
      pixels_per_second: 260_000,
    },
  ],
  next_cursor: null,
};
const manifestRow: SnakeCaseKeys<PublicManifestRow> = {
  item_id: itemId,
  client_id: 'cover',
  job_id: id,
  name: 'cover.png',
  path: 'cover-2x.webp',
  status: 'completed',
  source_width: 640,
  source_height: 480,
  source_bytes: 120_345,
  width: 1_280,
  height: 960,
  bytes: 98_211,
  sha256: digest,
  engine: 'photo-fast',
  units: 1,
  error: null,
  message: null,
};

const omitItems = ({ items: _, notes: __, ...batch }: V1Batch) => batch;

/** Creates examples of successful responses. Links in the examples start with `publicUrl`. */
export function makeResponseExamples(publicUrl: string): Partial<Record<V1RouteName, unknown>> {
  const job = makeExampleJob(publicUrl);
  const batch = makeExampleBatch(publicUrl);
  return {
    v1Process: job,
    v1Resize: job,
    v1GetJob: job,
    v1JobStatus: job,
    v1ListJobs: { data: [job], next_cursor: null },
    v1DeleteJob: { id, job_id: id, deleted_at: expiresAt, objects: [{ kind: 'result', sha256: digest }] },
    v1ListBatches: { data: [omitItems(batch)], next_cursor: null },
    v1CreateBatch: batch,
    v1Bulk: batch,
    v1GetBatch: batch,
    v1CancelBatch: batch,
    v1RetryBatch: batch,
    v1PutBatchItem: batch.items[0],
    v1Estimate: estimate,
    v1Account: account,
    v1Engines: engines,
    v1BatchManifest: { data: [manifestRow], next_cursor: null },
    ...makeWebhookExamples(job),
  };
}

const processBody = { image_url: 'https://example.com/photo.jpg', scale_factor: 4, format: 'webp' };
const newBatch = {
  recipe: { scale_factor: 2, format: 'webp' },
  items: [{ client_id: 'cover', name: 'cover.png', size: 120_345 }],
};
export const bodyExamples: Partial<Record<V1RouteName, unknown>> = {
  v1Process: processBody,
  v1Resize: processBody,
  v1CreateBatch: newBatch,
  v1Bulk: newBatch,
  v1RetryBatch: { engine: 'standard' },
  ...webhookBodies,
  v1Estimate: { width: 640, height: 480, bytes: 81_234, source_format: 'jpeg', scale_factor: 4 },
};

const processForm = { image: 'photo.jpg', scale_factor: 4 };
/** Examples of form bodies. A file name stands for each file. */
export const formExamples: Partial<Record<V1RouteName, unknown>> = { v1Process: processForm, v1Resize: processForm };
