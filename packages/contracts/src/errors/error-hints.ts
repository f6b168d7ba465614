import { limits } from '../policy/limits.ts';
import type { ErrorCode } from './error-codes.ts';

/** Hint for `quota_exceeded` while customers can buy a pack that adds to the quota. */
export const quotaHintWithPacks =
  'Wait until the date in "meta.resets_at", upgrade your plan, or buy a pack at "meta.packs_url".';

export const errorHints: Partial<Record<ErrorCode, string>> = {
  image_url_invalid:
    'Sign "/{processing}/{source}" with your current secret, and check that "k" is your key ID and that image URLs are enabled.',
  image_url_expired: 'Sign a new URL with a later "exp".',
  source_not_allowed: 'Add the host of the original image in the settings of image URLs.',
  image_not_ready: 'Wait for the number of seconds in the Retry-After header. The image is not charged again.',
  bad_api_key: 'Create a key on the "API Keys" page and send it as "Authorization: Bearer YOUR_API_KEY".',
  wrong_scope: 'Use a key with the required scope.',
  terms_not_accepted: 'Sign in on the website and accept the new terms of service.',
  plan_feature: 'Upgrade to a plan that includes this feature.',
  quota_exceeded: 'Wait until the date in "meta.resets_at", or upgrade your plan.',
  key_cap_exceeded: 'Raise this key\'s monthly limit, or wait until the date in "meta.resets_at".',
  malformed_multipart: 'Send multipart/form-data with a boundary and the image as a file in the "image" field.',
  malformed_body: 'Send valid JSON with the content type application/json.',
  no_image: 'Send "image" as a file or as base64, or send "image_url".',
  not_acceptable:
    'Set Accept to image/* for the image, application/json for the job, or text/event-stream for its progress.',
  unsupported_media_type: 'Send multipart/form-data, JSON, or the image itself (image/* or application/octet-stream).',
  unsupported_encoding: 'Remove the Content-Encoding header.',
  file_too_large: 'Send a smaller file.',
  invalid_parameter: 'Correct the parameter in "param". Its allowed values are in "allowed".',
  conflicting_params: 'Set the size with only one option. Send a parameter or its alias, not both.',
  output_too_large: 'Reduce the scale or the size. The largest allowed scale is in "max_scale".',
  job_too_long: 'Choose a smaller scale or a faster engine.',
  engine_unavailable: 'List the available engines with GET /v1/engines.',
  idempotency_mismatch: 'Use a new Idempotency-Key for each image and set of options.',
  rate_limited: 'Wait for the number of seconds in the Retry-After header.',
  server_busy: 'Wait for the number of seconds in the Retry-After header.',
  queue_full: 'Wait for the number of seconds in the Retry-After header. Paid plans are accepted for longer.',
  service_unavailable: "Retry with the same Idempotency-Key. The image won't be processed twice.",
  webhook_disabled: 'Enable the endpoint with PATCH /v1/webhooks/{id} and {"is_active": true}.',
  url_not_allowed: 'Use a public https URL on port 443.',
  url_unreachable: `Check that the URL is publicly accessible and responds within ${limits.fetchSeconds} seconds.`,
  address_not_allowed:
    'Add your IP address to this key\'s allowed IP addresses on the "API Keys" page, or use another key.',
  target_bytes_unreachable: 'Increase "target_bytes", or choose a smaller size or another format.',
  job_not_finished: 'Poll the "status_url" of the job or batch, and try again when it has ended.',
  item_upload_running: 'Upload each item once. After an interrupted upload, try again in a few seconds.',
  item_has_file: 'Send the same file again, or create a new batch for the new file.',
  job_not_found:
    'Check the ID. For live jobs, use a live key. For sandbox jobs, use a sandbox key or /v1/sandbox. Jobs are kept for 90 days.',
  range_not_satisfiable:
    'Request a range that begins before the end of the file. Its size is in the Content-Range header.',
  link_expired: 'Get the job again with GET /v1/jobs/{id} for a new "download_url".',
  method_not_allowed: 'Use one of the methods in the Allow header.',
  result_expired:
    'Process the image again, and download the result before it expires. Results are kept for up to 24 hours, as set by "retention".',
  storage_full: 'Delete results with DELETE /v1/jobs/{id}.',
};
