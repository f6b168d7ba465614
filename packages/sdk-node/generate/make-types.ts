import { v1ProblemSchema } from '@uprez/contracts/errors/problem';
import { v1AccountSchema } from '@uprez/contracts/schemas/api-keys';
import { newBatchSchema, retryBatchSchema } from '@uprez/contracts/schemas/batch';
import { estimateBodySchema } from '@uprez/contracts/schemas/estimate';
import {
  newWebhookSchema,
  webhookChangeSchema,
  webhookDeliveryQuerySchema,
  webhookRotationSchema,
} from '@uprez/contracts/schemas/webhooks';
import { v1BatchItemSchema, v1BatchSchema, v1ManifestSchema } from '@uprez/contracts/v1/batch';
import { v1DryRunSchema, v1EngineListSchema, v1EstimateSchema } from '@uprez/contracts/v1/estimate';
import { v1EventListQuerySchema, v1EventListSchema, v1EventSchema } from '@uprez/contracts/v1/events';
import { v1DeletionSchema, v1JobListQuerySchema, v1JobListSchema, v1JobSchema } from '@uprez/contracts/v1/job';
import { snake } from '@uprez/contracts/v1/snake';
import {
  v1CreatedWebhookSchema,
  v1WebhookDeliveryDetailSchema,
  v1WebhookDeliveryListSchema,
  v1WebhookDeliverySchema,
  v1WebhookSchema,
} from '@uprez/contracts/v1/webhooks';
import * as z from 'zod';
import { makeOptionTypes } from './make-option-types.ts';
import { identify, type JsonSchema, printType } from './print-type.ts';

/** `isSent`: a body or a query, whose defaults need not be said. `also`: what the type has besides. */
type Entry = { name: string; schema: z.ZodType; says: string; isSent?: boolean; also?: string };

const answered = (name: string, schema: z.ZodType, says: string): Entry => ({ name, schema, says });
const sent = (name: string, schema: z.ZodType, says: string): Entry => ({ name, schema, says, isSent: true });

/** Types of the package, the schemas that they come from, and what they are. */
const entries: Entry[] = [
  answered('Job', v1JobSchema, 'An image that is, was or will be made.'),
  answered('JobList', v1JobListSchema, 'One page of jobs, the newest first.'),
  sent('JobQuery', v1JobListQuerySchema, 'Which jobs to list.'),
  answered('Deletion', v1DeletionSchema, 'Proof of which bytes were removed.'),
  answered('DryRun', v1DryRunSchema, 'What an image would become.'),
  answered('Estimate', v1EstimateSchema, 'What an image of such facts would become.'),
  {
    ...sent('EstimateInput', estimateBodySchema, 'An image by its facts.'),
    also: "Omit<RecipeOptions, 'width' | 'height'>",
  },
  answered('EngineList', v1EngineListSchema, 'Ways to enlarge an image.'),
  answered('Account', v1AccountSchema, 'The plan of a key, and what is left of it.'),
  answered('BatchItem', v1BatchItemSchema, 'One image of a batch.'),
  answered('Batch', v1BatchSchema, 'Many images that are processed alike.'),
  answered('BatchManifest', v1ManifestSchema, 'What became of every image of a batch.'),
  sent('NewBatch', newBatchSchema, 'Images whose files will be sent.'),
  sent('BatchRetry', retryBatchSchema, 'How what failed is tried again.'),
  answered('UprezEvent', v1EventSchema, 'Something that happened: a row of the feed, and the body of a webhook.'),
  answered('EventList', v1EventListSchema, 'One page of events, the oldest first.'),
  sent('EventQuery', v1EventListQuerySchema, 'Which events to list.'),
  answered('Webhook', v1WebhookSchema, 'An address that events are delivered to.'),
  answered('CreatedWebhook', v1CreatedWebhookSchema, 'The same with its secret, which is told this once.'),
  sent('NewWebhook', newWebhookSchema, 'An address that events shall be delivered to.'),
  sent('WebhookChange', webhookChangeSchema, 'What shall be different about it.'),
  sent('WebhookRotation', webhookRotationSchema, 'How long the former secret goes on signing.'),
  answered('WebhookDelivery', v1WebhookDeliverySchema, 'An event on its way to an endpoint.'),
  answered('WebhookDeliveryList', v1WebhookDeliveryListSchema, 'One page of deliveries.'),
  sent('WebhookDeliveryQuery', webhookDeliveryQuerySchema, 'Which deliveries to list.'),
  answered('WebhookDeliveryDetail', v1WebhookDeliveryDetailSchema, 'A delivery with what was sent and answered.'),
  answered('Problem', v1ProblemSchema, 'A refusal.'),
];

function readSchema({ schema, isSent = false }: Entry): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: isSent ? 'input' : 'output', unrepresentable: 'any' });
  return renamed(stripped(json as JsonSchema), isSent);
}

/** Only what a type tells: no limits, no formats. */
function stripped(schema: JsonSchema): JsonSchema {
  const { type, const: value, enum: values, oneOf, anyOf = oneOf, items, properties, required, propertyNames } = schema;
  const { additionalProperties: rest, description } = schema;
  const all = {
    ...{
      description,
      type,
      const: value,
      enum: values,
      required,
      anyOf: anyOf?.map(stripped),
      items: items && stripped(items),
    },
    properties: properties && mapValues(properties, stripped),
    propertyNames: propertyNames && stripped(propertyNames),
    additionalProperties: typeof rest === 'object' ? stripped(rest) : undefined,
  };
  return JSON.parse(JSON.stringify(all)) as JsonSchema;
}

const mapValues = (object: Record<string, JsonSchema>, change: (inner: JsonSchema) => JsonSchema) =>
  Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, change(inner)]));

/** Bodies are read in either spelling; the package sends the one that is answered. */
function renamed(schema: JsonSchema, isSent: boolean): JsonSchema {
  if (!isSent) return schema;
  const { properties, required, items, anyOf } = schema;
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map((inner) => renamed(inner, true)) }),
    ...(items && { items: renamed(items, true) }),
    ...(required && { required: required.map(snake) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [snake(name), renamed(inner, true)]),
      ),
    }),
  };
}

const heading = '/** Made by `npm run generate:sdk` from the contracts of the API: do not edit. */\n';

/** The file of types, as text. */
export function makeTypes(): string {
  const schemas = entries.map((entry) => ({ entry, schema: readSchema(entry) }));
  const named = new Map(schemas.map(({ entry, schema }) => [identify(schema), entry.name]));
  const types = schemas.map(({ entry: { name, says, also }, schema }) => {
    const type = printType(schema, named);
    return `/** ${says} */\nexport type ${name} = ${type}${also ? ` & ${also}` : ''};\n`;
  });
  return `${heading}\n${[makeOptionTypes(), ...types].join('\n')}`;
}
