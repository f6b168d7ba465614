import { manifestSchema, newBatchSchema, retryBatchSchema } from '@uprez/contracts/schemas/jobs/batch';
import { estimateBodySchema } from '@uprez/contracts/schemas/jobs/estimate';
import {
  newWebhookSchema,
  webhookChangeSchema,
  webhookDeliveryQuerySchema,
  webhookRotationSchema,
} from '@uprez/contracts/schemas/webhooks';
import { v1EventListQuerySchema } from '@uprez/contracts/v1/events';
import { v1BatchListQuerySchema, v1JobListQuerySchema, v1SchemaOf, v1Schemas } from '@uprez/contracts/v1/schemas';
import { toV1Schema } from '@uprez/contracts/v1/to-v1-schema';
import * as z from 'zod';
import { makeOptionTypes } from './make-option-types.ts';
import { identify, type JsonSchema, printType } from './print-type.ts';

/** `isRequest`: fields with a default are optional. `also`: a type to intersect with. */
type Entry = { name: string; schema: z.ZodType; description: string; isRequest?: boolean; also?: string };

const response = (name: string, schema: z.ZodType, description: string): Entry => ({ name, schema, description });
const request = (name: string, schema: z.ZodType, description: string): Entry => ({
  name,
  schema,
  description,
  isRequest: true,
});

/** Types of the package and their schemas. */
const entries: Entry[] = [
  response('Job', v1Schemas.Job, 'A job processes one image.'),
  response('JobList', v1Schemas.JobList, 'A page of jobs, newest first.'),
  request('JobQuery', v1JobListQuerySchema, 'Filters of a list of jobs.'),
  response('Deletion', v1Schemas.Deletion, 'The deleted files of a job.'),
  response('DryRun', v1Schemas.DryRun, 'The estimated result of an image.'),
  response('Estimate', v1Schemas.Estimate, 'The estimated result of an image with the given properties.'),
  {
    ...request('EstimateInput', estimateBodySchema, 'Properties of an image and options of a job.'),
    also: "Omit<RecipeOptions, 'width' | 'height'>",
  },
  response('EngineList', v1Schemas.EngineList, 'The available engines.'),
  response('Account', v1Schemas.Account, 'Your plan, quotas, and API key.'),
  response('BatchItem', v1Schemas.BatchItem, 'An image of a batch.'),
  response('Batch', v1Schemas.Batch, 'A batch of images with the same options.'),
  response('BatchList', v1Schemas.BatchList, 'A page of batches without their items, newest first.'),
  request('BatchQuery', v1BatchListQuerySchema, 'Filters of a list of batches.'),
  response('BatchManifest', v1SchemaOf(manifestSchema), 'The result of each image of a batch.'),
  request('NewBatch', newBatchSchema, 'A batch of files to upload.'),
  request('BatchRetry', retryBatchSchema, 'Options of a retry.'),
  response('UprezEvent', v1Schemas.Event, 'An event: an entry of the event feed, and the body of a webhook.'),
  response('EventList', v1Schemas.EventList, 'A page of events, oldest first.'),
  request('EventQuery', v1EventListQuerySchema, 'Filters of a list of events.'),
  response('Webhook', v1Schemas.Webhook, 'A webhook endpoint.'),
  response('CreatedWebhook', v1Schemas.CreatedWebhook, 'A webhook endpoint with its secret, which is not shown again.'),
  request('NewWebhook', newWebhookSchema, 'A webhook endpoint to create.'),
  request('WebhookChange', webhookChangeSchema, 'Changes of a webhook endpoint.'),
  request('WebhookRotation', webhookRotationSchema, 'Options of a secret rotation.'),
  response('WebhookDelivery', v1Schemas.Delivery, 'A delivery of an event to a webhook endpoint.'),
  response('WebhookDeliveryList', v1Schemas.DeliveryList, 'A page of deliveries, newest first.'),
  request('WebhookDeliveryQuery', webhookDeliveryQuerySchema, 'Filters of a list of deliveries.'),
  response('WebhookDeliveryDetail', v1Schemas.DeliveryDetail, 'A delivery with its body and attempts.'),
  response('Problem', v1Schemas.Problem, 'An error response.'),
];

function readSchema({ schema, isRequest = false }: Entry): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(isRequest ? toV1Schema(schema) : schema, {
    io: isRequest ? 'input' : 'output',
    unrepresentable: 'any',
  });
  return json as JsonSchema;
}

const heading = '/** Generated from the API contracts by `npm run generate:sdk`. Do not edit. */\n';

/** Makes the text of `types.ts`. */
export function makeTypes(): string {
  const schemas = entries.map((entry) => ({ entry, schema: readSchema(entry) }));
  const named = new Map(schemas.map(({ entry, schema }) => [identify(schema), entry.name]));
  const types = schemas.map(({ entry: { name, description, also }, schema }) => {
    const type = printType(schema, named);
    return `/** ${description} */\nexport type ${name} = ${type}${also ? ` & ${also}` : ''};\n`;
  });
  return `${heading}\n${[makeOptionTypes(), ...types].join('\n')}`;
}
