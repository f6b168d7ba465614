import { uploadErrors } from '../errors/upload-errors.ts';
import { estimateBodySchema, estimateSchema } from '../schemas/estimate.ts';
import { bytes, type Endpoint, write } from './endpoint.ts';

/** What everybody may try, with an account or without. */
export const imageEndpoints = {
  estimate: {
    body: estimateBodySchema,
    answers: { 200: estimateSchema },
    errors: [...write, 'invalid_parameter', 'conflicting_params'],
    auth: 'optional',
  },
  preview: {
    answers: { 200: bytes },
    errors: [...write, ...uploadErrors, 'preview_too_large', 'preview_too_slow'],
    auth: 'optional',
  },
} as const satisfies Record<string, Endpoint>;
