import * as z from 'zod';
import {
  apiKeyChangeSchema,
  apiKeyDaySchema,
  apiKeyRotationSchema,
  apiKeySchema,
  apiKeyToggleSchema,
  createdApiKeySchema,
  newApiKeySchema,
} from '../schemas/api-keys.ts';
import { defineEndpoints, idParams, nothing } from './endpoint.ts';

const missing = 'api_key_not_found';
const making = ['plan_feature', 'email_unverified', 'api_key_limit'] as const;
const key = { params: idParams, answers: { 200: apiKeySchema } } as const;

/** Keys of the public API. */
export const keyEndpoints = defineEndpoints('session', {
  listApiKeys: { answers: { 200: z.array(apiKeySchema) } },
  createApiKey: { body: newApiKeySchema, answers: { 201: createdApiKeySchema }, errors: making },
  toggleApiKey: { ...key, body: apiKeyToggleSchema, errors: [missing] },
  updateApiKey: { ...key, body: apiKeyChangeSchema, errors: [missing, 'api_key_replaced'] },
  rotateApiKey: {
    params: idParams,
    body: apiKeyRotationSchema,
    answers: { 201: createdApiKeySchema },
    errors: [...making, missing, 'api_key_replaced'],
  },
  deleteApiKey: { params: idParams, answers: { 204: nothing }, errors: [missing] },
  apiKeyUsage: { params: idParams, answers: { 200: z.array(apiKeyDaySchema) }, errors: [missing] },
});
