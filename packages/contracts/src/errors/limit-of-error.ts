import type { LimitName } from '../policy/limit-names.ts';
import type { AppError } from './app-error.ts';
import type { ErrorCode } from './error-codes.ts';

/** Default limit of an error code, for errors without a `limitName`. */
const limitOfCode: Partial<Record<ErrorCode, LimitName>> = {
  headers_too_large: 'header_size',
  file_too_large: 'upload_size',
  storage_full: 'storage',
  too_many_pixels: 'image_pixels',
  side_too_long: 'image_side',
  too_many_frames: 'image_frames',
  image_too_complex: 'image_complexity',
  preview_too_large: 'preview_size',
  preview_too_slow: 'preview_time',
  item_upload_running: 'item_upload',
  queue_full: 'queue_wait',
  quota_exceeded: 'quota',
  key_cap_exceeded: 'key_cap',
  plan_feature: 'plan_features',
  output_too_large: 'output_pixels',
  job_too_long: 'job_seconds',
  result_expired: 'result_time',
  webhook_limit: 'webhook_endpoints',
  too_many_attempts: 'sign_in_attempts',
  api_key_limit: 'api_keys',
};

/** Returns the limit that an error is about, if any. */
export const limitOfError = ({
  code,
  limitName = limitOfCode[code],
}: Pick<AppError, 'code'> & Partial<Pick<AppError, 'limitName'>>): LimitName | undefined => limitName ?? undefined;
