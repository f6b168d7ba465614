import * as z from 'zod';
import { localModelParams, localModelSchema } from '../schemas/jobs/local-model.ts';
import { bytes, defineEndpoints } from './endpoint.ts';

/** Models for processing in the browser. */
export const localModelEndpoints = defineEndpoints('none', {
  /** Lists the installed models. Returns an empty list if the gateway has no models. */
  listLocalModels: { route: 'GET /api/local-models', answers: { 200: z.array(localModelSchema) } },
  getLocalModel: {
    route: 'GET /local-models/:name',
    params: localModelParams,
    answers: { 200: bytes },
    errors: ['model_not_found'],
  },
});
