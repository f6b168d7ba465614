import type { ErrorCode } from './error-codes.ts';

/** Errors after which a job is retried. */
export const retriedErrors = [
  'processing_crashed',
  'processing_timeout',
  'processing_memory',
] as const satisfies readonly ErrorCode[];
export const isRetriedError = (code: ErrorCode) => (retriedErrors as readonly ErrorCode[]).includes(code);

/** Errors that any endpoint can return, caused by the transport or the state of the service. */
export const universalErrors = [
  'malformed_body',
  'headers_too_large',
  'internal',
  'maintenance',
  'not_found',
  'rate_limited',
  'server_busy',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

export const routingErrors = ['method_not_allowed'] as const satisfies readonly ErrorCode[];

/**
 * Errors that an endpoint can return for an image, or for the image's job if the job fails while the caller is waiting.
 */
export const uploadErrors = [
  'malformed_multipart',
  'no_image',
  'file_too_large',
  'unsupported_format',
  'invalid_parameter',
  'conflicting_params',
  'empty_file',
  'corrupt_image',
  'url_not_allowed',
  'url_unreachable',
  'too_many_pixels',
  'too_many_frames',
  'image_too_complex',
  'side_too_long',
  'output_too_large',
  'plan_feature',
  'storage_full',
  'quota_exceeded',
  'output_check_failed',
  'target_bytes_unreachable',
  'job_too_long',
  'engine_unavailable',
  'idempotency_mismatch',
  'processing_crashed',
  'processing_timeout',
  'processing_memory',
  'cancelled',
  'queue_full',
] as const satisfies readonly ErrorCode[];
