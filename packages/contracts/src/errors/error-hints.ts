import { limits } from '../policy/limits.ts';
import type { ErrorCode } from './error-codes.ts';

/** What helps against an error, for the public API: said with it, and in its documentation. */
export const errorHints: Partial<Record<ErrorCode, string>> = {
  bad_api_key: 'Make a key on the page "API Keys" and send it as "Authorization: Bearer KEY".',
  wrong_scope: 'Make a key that has this scope.',
  plan_feature: 'Choose what the plan includes, or a plan that includes it.',
  quota_exceeded: 'Wait until the date in "meta.resets_at", or choose a larger plan.',
  key_cap_exceeded: 'Raise the monthly cap of this key, or wait until the date in "meta.resets_at".',
  malformed_multipart: 'Send multipart/form-data with a boundary, and the image as a file in the field "image".',
  malformed_body: 'Send valid JSON with the content type application/json.',
  no_image: 'Send "image" as a file or as base64, or "image_url".',
  unsupported_media_type:
    'Send multipart/form-data, an image with its own content type (image/* or application/octet-stream), or JSON.',
  unsupported_encoding: 'Leave out the header Content-Encoding.',
  file_too_large: 'Make the file smaller, or send "image_url" of a smaller one.',
  invalid_parameter: 'See "param" and "allowed".',
  conflicting_params: 'Send each parameter once, under one of its names.',
  output_too_large: 'Choose a smaller factor: "max_scale" works.',
  job_too_long: 'Choose a smaller factor, or a faster engine.',
  engine_unavailable: 'GET /v1/engines tells which engines there are.',
  idempotency_mismatch: 'Use a new Idempotency-Key for each image and each set of settings.',
  rate_limited: 'Wait for the seconds in the header Retry-After.',
  service_unavailable: 'Try again with the same Idempotency-Key: nothing is made twice.',
  webhook_disabled: 'PATCH /v1/webhooks/{id} with {"is_active": true} switches it on.',
  url_not_allowed: 'Only https addresses on the public internet are asked, on port 443.',
  job_not_found: 'Jobs of the sandbox and of live keys do not see each other. Rows are kept for 90 days.',
  result_expired: `Results are kept for their "retention", at most 24 hours, and links work for ${limits.downloadLinkMinutes} minutes.`,
  storage_full: 'DELETE /v1/jobs/{id} removes a result now.',
};
