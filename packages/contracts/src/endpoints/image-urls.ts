import * as z from 'zod';
import { uploadErrors } from '../errors/error-groups.ts';
import {
  changedImageUrlSettingsSchema,
  imageUrlChangeSchema,
  imageUrlRotationSchema,
  imageUrlSettingsSchema,
  newImageUrlSchema,
  signedImageUrlSchema,
} from '../schemas/image-url-settings.ts';
import { bytesSchema, defineEndpoints } from './endpoint.ts';

const changeResponses = { 200: changedImageUrlSettingsSchema } as const;

export const imageUrlEndpoints = defineEndpoints('session', {
  getImageUrls: { route: 'GET /api/image-urls', answers: { 200: imageUrlSettingsSchema } },
  updateImageUrls: {
    route: 'PUT /api/image-urls',
    body: imageUrlChangeSchema,
    answers: changeResponses,
    errors: ['plan_feature', 'email_unverified'],
  },
  rotateImageUrlSecret: {
    route: 'POST /api/image-urls/rotate',
    body: imageUrlRotationSchema,
    answers: changeResponses,
    errors: ['plan_feature', 'image_urls_disabled'],
  },
  signImageUrl: {
    route: 'POST /api/image-urls/sign',
    body: newImageUrlSchema,
    answers: { 200: signedImageUrlSchema },
    errors: ['conflicting_params', 'url_not_allowed', 'source_not_allowed', 'image_urls_disabled'],
  },
});

export const v1ImageEndpoints = defineEndpoints('signature', {
  v1Image: {
    route: 'GET /v1/img/:signature/:processing/:source',
    params: z.object({
      signature: z.string().describe('HMAC-SHA256 of `/{processing}/{source}` with your secret, as base64url.'),
      // Isn't named `options`, because that would clash with a name in generated clients.
      processing: z
        .string()
        .describe('Options as `name:value`, separated by commas. `k` is the ID of your key and is required.'),
      source: z.string().describe('`https` URL of the original image, as base64url without padding.'),
    }),
    docs: {
      requestHeaders: ['Prefer', 'Range'],
      responseHeaders: ['Preference-Applied'],
      responseType: 'image/*',
      otherStatuses: { 304: 'The image has not changed (`If-None-Match`).' },
    },
    answers: { 200: bytesSchema, 206: bytesSchema },
    errors: [
      ...uploadErrors,
      'image_url_invalid',
      'image_url_expired',
      'source_not_allowed',
      'image_not_ready',
      'result_expired',
      'range_not_satisfiable',
      'terms_not_accepted',
    ],
  },
});
