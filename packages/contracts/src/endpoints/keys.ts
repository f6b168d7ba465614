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
import { defineEndpoints, emptySchema } from './endpoint.ts';

const keyNotFound = 'api_key_not_found';
const creationErrors = ['plan_feature', 'email_unverified', 'api_key_limit'] as const;

export const keyEndpoints = defineEndpoints('session', {
  listApiKeys: { route: 'GET /api/api-keys', answers: { 200: z.array(apiKeySchema) } },
  createApiKey: {
    route: 'POST /api/api-keys',
    body: newApiKeySchema,
    answers: { 201: createdApiKeySchema },
    errors: creationErrors,
  },
  toggleApiKey: {
    route: 'PATCH /api/api-keys/:id/toggle',
    body: apiKeyToggleSchema,
    answers: { 200: apiKeySchema },
    errors: [keyNotFound],
  },
  updateApiKey: {
    route: 'PATCH /api/api-keys/:id',
    answers: { 200: apiKeySchema },
    body: apiKeyChangeSchema,
    errors: [keyNotFound, 'api_key_replaced'],
  },
  rotateApiKey: {
    route: 'POST /api/api-keys/:id/rotate',
    body: apiKeyRotationSchema,
    answers: { 201: createdApiKeySchema },
    errors: [...creationErrors, keyNotFound, 'api_key_replaced'],
  },
  deleteApiKey: {
    route: 'DELETE /api/api-keys/:id',
    answers: { 204: emptySchema },
    errors: [keyNotFound],
  },
  apiKeyUsage: {
    route: 'GET /api/api-keys/:id/usage',
    answers: { 200: z.array(apiKeyDaySchema) },
    errors: [keyNotFound],
  },
});
