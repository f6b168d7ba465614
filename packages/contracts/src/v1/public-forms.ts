import type * as z from 'zod';
import { batchItemSchema, batchSchema, manifestSchema } from '../schemas/batch.ts';
import { deletedJobSchema, jobSchema } from '../schemas/job.ts';
import {
  createdWebhookSchema,
  webhookDeliveryDetailSchema,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookListSchema,
  webhookSchema,
} from '../schemas/webhooks.ts';
import { v1BatchItemSchema, v1BatchSchema, v1ManifestSchema } from './batch.ts';
import { v1DeletedJobSchema, v1JobSchema } from './job.ts';
import {
  v1CreatedWebhookSchema,
  v1WebhookDeliveryDetailSchema,
  v1WebhookDeliveryListSchema,
  v1WebhookDeliverySchema,
  v1WebhookListSchema,
  v1WebhookSchema,
} from './webhooks.ts';

const publicForms = new Map<z.ZodType, z.ZodType>([
  [webhookSchema, v1WebhookSchema],
  [createdWebhookSchema, v1CreatedWebhookSchema],
  [webhookListSchema, v1WebhookListSchema],
  [webhookDeliverySchema, v1WebhookDeliverySchema],
  [webhookDeliveryListSchema, v1WebhookDeliveryListSchema],
  [webhookDeliveryDetailSchema, v1WebhookDeliveryDetailSchema],
  [jobSchema, v1JobSchema],
  [deletedJobSchema, v1DeletedJobSchema],
  [batchSchema, v1BatchSchema],
  [batchItemSchema, v1BatchItemSchema],
  [manifestSchema, v1ManifestSchema],
]);

/** The response schema of `/v1` for a response schema of `/api`; the same where no field has another name. */
export const publicForm = (schema: z.ZodType): z.ZodType => publicForms.get(schema) ?? schema;
