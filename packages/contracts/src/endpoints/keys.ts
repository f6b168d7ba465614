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
import { type Endpoint, idParams, nothing, signedIn, write } from './endpoint.ts';

const owned = [...signedIn, 'api_key_not_found'] as const;
const writing = [...owned, ...write, 'invalid_parameter'] as const;
const making = ['plan_feature', 'email_unverified', 'api_key_limit'] as const;

/** Keys of the public API. */
export const keyEndpoints = {
  listApiKeys: { answers: { 200: z.array(apiKeySchema) }, errors: signedIn, auth: 'session' },
  createApiKey: {
    body: newApiKeySchema,
    answers: { 201: createdApiKeySchema },
    errors: [...signedIn, ...write, ...making, 'invalid_parameter'],
    auth: 'session',
  },
  toggleApiKey: {
    params: idParams,
    body: apiKeyToggleSchema,
    answers: { 200: apiKeySchema },
    errors: writing,
    auth: 'session',
  },
  updateApiKey: {
    params: idParams,
    body: apiKeyChangeSchema,
    answers: { 200: apiKeySchema },
    errors: [...writing, 'api_key_replaced'],
    auth: 'session',
  },
  rotateApiKey: {
    params: idParams,
    body: apiKeyRotationSchema,
    answers: { 201: createdApiKeySchema },
    errors: [...writing, ...making, 'api_key_replaced'],
    auth: 'session',
  },
  deleteApiKey: { params: idParams, answers: { 204: nothing }, errors: [...owned, ...write], auth: 'session' },
  apiKeyUsage: { params: idParams, answers: { 200: z.array(apiKeyDaySchema) }, errors: owned, auth: 'session' },
} as const satisfies Record<string, Endpoint>;
