import { readableFormats } from '../policy/image-formats.ts';
import { limits } from '../policy/limits.ts';

type ErrorRow = {
  /** HTTP status. */
  status: number;
  /** The sentence shown when the error carries no detail. */
  title: string;
  /** Whether a client may repeat the same request. */
  retry: boolean;
  /** Whether operators are alerted. */
  report: boolean;
  /** False: a request or job that ends with this error is never charged, and its message says so. */
  charged?: false;
};
const row = (status: number, title: string, flags: Partial<ErrorRow> = {}): ErrorRow => ({
  status,
  title,
  retry: false,
  report: false,
  ...flags,
});

/** Every public error by its code. */
export const errorCodes = {
  malformed_multipart: row(
    400,
    'The upload could not be read. Send one multipart form with the image in the field "image".',
  ),
  malformed_body: row(400, 'The request body could not be read.'),
  no_image: row(400, 'No image was sent. Put it in the field "image".'),
  quota_exceeded: row(402, 'You have used up what your plan includes.', { charged: false }),
  key_cap_exceeded: row(402, 'This API key has used up its monthly cap.', { charged: false }),
  bad_credentials: row(401, 'Unauthorized: the e-mail or the password is wrong.'),
  not_signed_in: row(401, 'Unauthorized: please sign in.'),
  two_factor_required: row(401, 'Unauthorized: enter the code of your authenticator app.'),
  bad_two_factor_code: row(401, 'Unauthorized: this code is wrong or was used before. Enter the newest one.'),
  bad_api_key: row(401, 'Unauthorized: this API key is not valid.'),
  invalid_token: row(400, 'This link is not valid any more. Please ask for a new one.'),
  wrong_password: row(403, 'The current password is wrong.'),
  account_suspended: row(403, 'This account has been suspended. Please contact support.'),
  registration_closed: row(403, 'New accounts cannot be created at the moment.'),
  email_unverified: row(403, 'Please confirm your e-mail address first. We can send you the link again.'),
  admin_only: row(403, 'You need admin privileges for this.'),
  admin_two_factor: row(403, 'Administrators must turn on two-factor sign-in here before they can go on.'),
  plan_feature: row(403, 'Your plan does not include this.', { charged: false }),
  wrong_scope: row(403, 'This API key may not do this. Use one with the scope that it needs.'),
  address_not_allowed: row(403, 'This API key may not be used from this network address.'),
  bad_origin: row(403, 'This request came from another site and was refused.'),
  not_found: row(404, 'There is nothing at this address.'),
  job_not_found: row(404, 'There is no such job.'),
  user_not_found: row(404, 'There is no such user.'),
  session_not_found: row(404, 'There is no such device.'),
  export_not_found: row(404, 'There is no such export.'),
  api_key_not_found: row(404, 'There is no such API key.'),
  api_key_limit: row(409, 'You have as many API keys as an account may have. Delete one first.'),
  api_key_replaced: row(409, 'This API key has been replaced by another one already.'),
  webhook_not_found: row(404, 'There is no such webhook endpoint.'),
  delivery_not_found: row(404, 'There is no such delivery. They are kept for 30 days.'),
  webhook_limit: row(409, 'You have as many webhook endpoints as an account may have. Delete one first.'),
  webhook_disabled: row(409, 'This webhook endpoint is switched off. Switch it on first.'),
  batch_not_found: row(404, 'There is no such batch, or no such file in it.'),
  batch_cancelled: row(409, 'This batch was cancelled. Make a new one.'),
  own_account: row(409, 'You cannot do this to your own account, or to the last administrator.'),
  two_factor_state: row(409, 'Two-factor sign-in is already as you want it, or was not set up yet.'),
  email_taken: row(409, 'An account with this e-mail already exists. Sign in instead.'),
  job_not_finished: row(409, 'This job has no result yet.', { retry: true }),
  result_expired: row(410, 'The result of this job has been deleted. Upload the image again to make a new one.'),
  file_too_large: row(413, 'The file is larger than 50 MB.', { charged: false }),
  unsupported_format: row(415, `This is not an image we can read. Send a ${readableFormats} file.`, { charged: false }),
  unsupported_media_type: row(415, 'This call does not read bodies of this content type.'),
  unsupported_encoding: row(415, 'Compressed request bodies are not read. Send the body as it is.'),
  invalid_parameter: row(422, 'A value in the request is not valid.'),
  conflicting_params: row(422, 'Two spellings of the same parameter have different values.'),
  empty_file: row(422, 'The file is empty.', { charged: false }),
  file_never_came: row(422, `The file was not sent within ${limits.batchHours} hours.`, { charged: false }),
  corrupt_image: row(422, 'The image is damaged or cut short and cannot be read.', { charged: false }),
  too_many_pixels: row(422, 'The image has more than 100 million pixels.', { charged: false }),
  side_too_long: row(422, 'One side of the image is longer than 32,767 pixels.', { charged: false }),
  too_many_frames: row(422, 'The animation has too many frames.', { charged: false }),
  target_bytes_unreachable: row(422, 'The image does not fit into so few bytes, even at the lowest quality.', {
    charged: false,
  }),
  output_check_failed: row(422, 'The result did not match the original, so it was not delivered.', {
    charged: false,
    report: true,
  }),
  output_too_large: row(422, 'The result would be larger than this plan or format allows.', { charged: false }),
  job_too_long: row(422, 'This image would take too long at that factor.', { charged: false }),
  engine_unavailable: row(422, 'This engine is not installed here. Choose another.', { charged: false }),
  idempotency_mismatch: row(422, 'This Idempotency-Key was used before with another image or other settings.'),
  storage_full: row(
    422,
    'The space of your plan is full. Delete results that you have saved, or wait until they are deleted by themselves.',
    { charged: false },
  ),
  password_too_short: row(422, 'Password must be at least 6 characters long'),
  password_too_common: row(422, 'This password is among the most used ones. Please choose another.'),
  preview_too_large: row(422, 'A preview is made of a patch of at most 512 x 512 pixels and 2 MB.'),
  url_not_allowed: row(422, 'This address cannot be fetched.', { charged: false }),
  url_unreachable: row(422, 'The image could not be fetched from its address.', { charged: false }),
  processing_crashed: row(422, 'The image stopped the engine each time it was tried.', {
    charged: false,
    report: true,
  }),
  processing_timeout: row(422, 'The image took longer than its time limit.', { charged: false, report: true }),
  processing_memory: row(422, 'The image needed more memory than its limit.', { charged: false, report: true }),
  cancelled: row(409, 'The job was cancelled.', { charged: false }),
  too_many_attempts: row(429, 'Too many attempts. Wait a while, or reset your password.'),
  rate_limited: row(429, 'Too many requests. Wait a moment and try again.', { retry: true }),
  headers_too_large: row(431, 'The request headers are too large.'),
  internal: row(500, 'Something went wrong on our side. Please try again.', { retry: true, report: true }),
  service_unavailable: row(503, 'The service is not available right now. Try again in a moment.', {
    retry: true,
    report: true,
  }),
  preview_too_slow: row(503, 'The preview is not ready yet: many images are being made. Try again in a moment.', {
    retry: true,
  }),
  maintenance: row(503, 'The service is being maintained. Try again later.', { retry: true }),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorCodes;
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** Failures of the processing itself: the only ones that a job is tried again for. */
export const retriedErrors = [
  'processing_crashed',
  'processing_timeout',
  'processing_memory',
] as const satisfies readonly ErrorCode[];
export const isRetried = (code: ErrorCode) => (retriedErrors as readonly ErrorCode[]).includes(code);
