import { billingRules } from '../policy/billing/billing.ts';
import { unsupportedFormatText } from '../policy/images/image-formats.ts';
import { mediaLimits } from '../policy/images/media.ts';
import { limits } from '../policy/limits.ts';
import { formatCount } from '../texts/format.ts';

type ErrorRow = {
  status: number;
  /** Message if the error has no detail. */
  title: string;
  /** Whether a client may repeat the same request. */
  retry: boolean;
  /** Whether operators are alerted. */
  report: boolean;
  /** False: nothing was charged. `once`: the request may still be charged, but a retry isn't charged again. */
  charged?: false | 'once';
};
const makeErrorRow = (status: number, title: string, flags: Partial<ErrorRow> = {}): ErrorRow => ({
  ...{ status, title, retry: false, report: false },
  ...flags,
});

const makeUnchargedRow = (status: number, title: string, flags: Partial<ErrorRow> = {}): ErrorRow =>
  makeErrorRow(status, title, { ...flags, charged: false });

export const errorCodes = {
  malformed_multipart: makeErrorRow(
    400,
    'The upload couldn\'t be read. Send a multipart form with the image in the "image" field.',
  ),
  malformed_body: makeErrorRow(400, "The request body couldn't be read."),
  no_image: makeErrorRow(400, 'Missing image. Send it in the "image" field.'),
  no_file: makeErrorRow(400, 'Missing file. Send files in the "files" field, or a replacement in the "file" field.'),
  bad_signature: makeErrorRow(400, "The signature doesn't match the webhook secret."),
  bad_credentials: makeErrorRow(401, 'Incorrect email or password.'),
  not_signed_in: makeErrorRow(401, 'Unauthorized: sign in to continue.'),
  two_factor_required: makeErrorRow(401, 'Enter the code from your authenticator app.'),
  bad_two_factor_code: makeErrorRow(
    401,
    'This code is incorrect or was already used. Enter the current code from your authenticator app.',
  ),
  bad_passkey: makeErrorRow(401, "This passkey couldn't be verified. Try again, or use your password."),
  bad_api_key: makeErrorRow(401, 'Unauthorized: invalid API key.'),
  invalid_token: makeErrorRow(400, 'This link is invalid or has expired. Request a new one.'),
  quota_exceeded: makeUnchargedRow(402, "You've reached your plan's monthly limit."),
  payment_declined: makeUnchargedRow(402, 'Your payment was declined. Try another payment method.'),
  key_cap_exceeded: makeUnchargedRow(402, 'This API key has reached its monthly limit.'),
  wrong_password: makeErrorRow(403, 'Your current password is incorrect.'),
  account_suspended: makeErrorRow(403, 'This account is suspended. Contact support.'),
  registration_closed: makeErrorRow(403, 'New sign-ups are currently closed.'),
  email_unverified: makeErrorRow(
    403,
    'Confirm your email address first. You can request a new link on your account page.',
  ),
  admin_only: makeErrorRow(403, 'You need admin privileges to do this.'),
  permission_missing: makeErrorRow(403, "Your role doesn't include this action. Ask an owner to change your role."),
  step_up_required: makeErrorRow(403, 'Enter your password or a code to continue.'),
  role_above_own: makeErrorRow(403, "You can't change an administrator above your role, or give a role above it."),
  user_is_staff: makeErrorRow(403, "You can't view the account of an administrator."),
  read_only_view: makeErrorRow(403, "This isn't available while you're viewing another account. Stop viewing first."),
  view_ended: makeErrorRow(403, 'You stopped viewing this account. Reload the page to continue with your own.'),
  link_held: makeErrorRow(
    403,
    "Open this link in a browser where you're already signed in. The email settings were last changed by someone with a lower role.",
  ),
  admin_two_factor: makeErrorRow(403, 'Administrators must turn on two-factor authentication to continue.'),
  terms_not_accepted: makeUnchargedRow(
    403,
    'The terms of service have changed. Accept them to continue processing images.',
  ),
  plan_feature: makeUnchargedRow(403, "Your plan doesn't include this feature."),
  wrong_scope: makeErrorRow(403, "This API key doesn't have the required scope."),
  address_not_allowed: makeErrorRow(403, "This API key can't be used from your IP address."),
  image_url_invalid: makeErrorRow(403, 'The signature of this image URL is invalid, or image URLs are disabled.'),
  image_url_expired: makeErrorRow(403, 'This image URL has expired.'),
  source_not_allowed: makeErrorRow(403, "The host of the original image isn't on the list of allowed hosts."),
  bad_origin: makeErrorRow(403, 'This request came from another site and was blocked.'),
  not_found: makeErrorRow(404, 'Not found.'),
  price_not_found: makeErrorRow(404, "This plan isn't available. Choose one from the pricing page."),
  invoice_not_found: makeErrorRow(404, 'Invoice not found.'),
  subscription_not_found: makeErrorRow(404, 'Subscription not found.'),
  payment_not_found: makeErrorRow(404, 'Payment not found.'),
  stripe_event_not_found: makeErrorRow(404, 'Event not found.'),
  pack_not_found: makeErrorRow(404, "This pack isn't available. Choose one from the pricing page."),
  coupon_not_found: makeErrorRow(404, "This code doesn't exist. Check its spelling."),
  lead_not_found: makeErrorRow(404, 'Lead not found.'),
  ticket_not_found: makeErrorRow(404, 'Ticket not found.'),
  anomaly_not_found: makeErrorRow(404, 'Anomaly not found.'),
  settings_version_not_found: makeErrorRow(404, 'Version not found.'),
  article_not_found: makeErrorRow(404, 'Article not found.'),
  incident_not_found: makeErrorRow(404, 'Incident not found.'),
  subscriber_not_found: makeErrorRow(404, 'Subscriber not found.'),
  campaign_not_found: makeErrorRow(404, 'Campaign not found.'),
  campaign_state: makeErrorRow(
    409,
    "This campaign can't be changed like this right now. Reload the page to see its state.",
  ),
  campaign_changed: makeErrorRow(409, 'This campaign was changed in the meantime. Reload the page and try again.'),
  campaign_exists: makeErrorRow(409, 'This post already has a campaign. Open it in the list of campaigns.'),
  campaign_article_hidden: makeErrorRow(409, "The post of this campaign isn't published. Publish it first."),
  mail_not_configured: makeErrorRow(409, 'No mail server is set up. Enter one in the email settings first.'),
  status_service_not_found: makeErrorRow(404, 'Service not found.'),
  incident_ended: makeErrorRow(409, 'This maintenance has ended. Schedule a new one.'),
  revision_not_found: makeErrorRow(404, 'Revision not found.'),
  category_not_found: makeErrorRow(404, 'Category not found.'),
  media_not_found: makeErrorRow(404, 'File not found.'),
  model_not_found: makeErrorRow(404, 'Model not found.'),
  job_not_found: makeErrorRow(404, 'Job not found.'),
  passkey_not_found: makeErrorRow(404, 'Passkey not found.'),
  user_not_found: makeErrorRow(404, 'User not found.'),
  invitation_not_found: makeErrorRow(404, 'Invitation not found.'),
  session_not_found: makeErrorRow(404, 'Session not found.'),
  export_not_found: makeErrorRow(404, 'Export not found.'),
  api_key_not_found: makeErrorRow(404, 'API key not found.'),
  api_key_limit: makeErrorRow(409, "You've reached the maximum number of API keys. Delete one first."),
  passkey_limit: makeErrorRow(409, "You've reached the maximum number of passkeys. Delete one first."),
  api_key_replaced: makeErrorRow(409, 'This API key has already been rotated.'),
  webhook_not_found: makeErrorRow(404, 'Webhook endpoint not found.'),
  delivery_not_found: makeErrorRow(404, `Delivery not found. Deliveries are kept for ${limits.eventDays} days.`),
  webhook_limit: makeErrorRow(409, "You've reached the maximum number of webhook endpoints. Delete one first."),
  webhook_disabled: makeErrorRow(409, 'This webhook endpoint is disabled. Enable it first.'),
  batch_not_found: makeErrorRow(404, 'Batch or batch item not found.'),
  item_has_file: makeErrorRow(409, 'This item already has a different file.'),
  item_upload_running: makeErrorRow(409, 'This item is already being uploaded. Try again in a moment.', {
    retry: true,
  }),
  batch_cancelled: makeErrorRow(409, 'This batch was canceled. Create a new one.'),
  own_account: makeErrorRow(409, "You can't make this change to your own account or to the last owner."),
  invitation_exists: makeErrorRow(409, 'This email address was already invited. Resend or revoke that invitation.'),
  role_changed: makeErrorRow(409, "This user's role was changed in the meantime. Reload the page and try again."),
  user_changed: makeErrorRow(409, 'This user was changed in the meantime. Check the current values and try again.'),
  settings_changed: makeErrorRow(
    409,
    'These settings were changed in the meantime. Compare your values with the new ones, then save again.',
  ),
  edit_conflict: makeErrorRow(409, 'This text was changed in the meantime. Compare both texts, then save again.'),
  media_in_use: makeErrorRow(409, 'This file is in use. Remove it from these articles first.'),
  ticket_not_spam: makeErrorRow(409, 'Only spam can be deleted. Mark this ticket as spam first.'),
  ticket_is_spam: makeErrorRow(409, "This ticket is marked as spam. Say that it isn't spam before you reply."),
  ticket_answered: makeErrorRow(
    409,
    'Another administrator replied in the meantime. Read that reply, then send yours again if needed.',
  ),
  article_fixed: makeErrorRow(409, 'This page is always public at its URL. Change its text instead.'),
  slug_taken: makeErrorRow(422, 'Another article already uses this slug. Choose another one.'),
  markup_invalid: makeErrorRow(422, "This text can't be published. Correct the marked part."),
  job_changed: makeErrorRow(409, 'This job has changed in the meantime. Reload the page to see its current state.'),
  source_expired: makeErrorRow(409, 'The original of this image was deleted. Ask the user to upload it again.'),
  operations_changed: makeErrorRow(409, 'This was changed in the meantime. Reload the page to see the current state.'),
  anomaly_acknowledged: makeErrorRow(
    409,
    'Another administrator acknowledged this already. Reload the page to see their note.',
  ),
  two_factor_state: makeErrorRow(
    409,
    'Two-factor authentication was changed in the meantime. Reload the page and try again.',
  ),
  already_subscribed: makeErrorRow(409, 'You already have a subscription. Change its plan on the billing page.'),
  no_subscription: makeErrorRow(409, "You don't have a subscription. Choose a plan from the pricing page."),
  payment_due: makeErrorRow(409, 'Your latest bill is unpaid. Pay it first, or cancel your plan.'),
  preview_changed: makeErrorRow(409, 'The price has changed since you saw it. Check the new amount and confirm again.'),
  subscription_state: makeErrorRow(
    409,
    "Your subscription can't be changed like this right now. Reload the page and try again.",
  ),
  payment_changed: makeErrorRow(
    409,
    'This payment was refunded in the meantime. Check the remaining amount, and try again.',
  ),
  money_back_over: makeErrorRow(
    409,
    `This plan can't be refunded. Refunds are available for ${billingRules.moneyBackDays} days after your first yearly payment, while you have used at most ${billingRules.moneyBackUsedPercent}% of a month's images.`,
  ),
  coupon_expired: makeErrorRow(409, 'This code has expired. Remove it or enter another code.'),
  coupon_used_up: makeErrorRow(409, 'This code has reached its usage limit. Remove it to continue.'),
  coupon_disabled: makeErrorRow(409, 'This code is no longer valid. Remove it or enter another code.'),
  coupon_wrong_plan: makeErrorRow(409, "This code isn't valid for this plan. Remove it, or choose another plan."),
  coupon_not_ready: makeErrorRow(409, "This code isn't ready yet. Try again in a minute, or continue without it.", {
    retry: true,
  }),
  coupon_used: makeErrorRow(409, 'You have already used this code. Remove it or enter another code.'),
  coupon_second: makeErrorRow(409, 'Your subscription already uses a promo code. Only one can apply.'),
  coupon_scheduled: makeErrorRow(
    409,
    "Codes don't apply to a change at the end of your billing period. Remove the code to continue.",
  ),
  coupon_taken: makeErrorRow(409, 'A coupon with this code already exists. Choose another code.'),
  billing_busy: makeErrorRow(409, 'Another change to your subscription is in progress. Try again in a moment.', {
    retry: true,
  }),
  billing_not_configured: makeErrorRow(409, 'This plan is not yet configured. Please contact support.'),
  image_urls_disabled: makeErrorRow(409, 'Image URLs are disabled. Enable them first.'),
  email_taken: makeErrorRow(409, 'An account with this email already exists. Sign in instead.'),
  method_not_allowed: makeErrorRow(405, "This URL doesn't support this method."),
  not_acceptable: makeErrorRow(406, 'None of the content types in "Accept" can be sent.'),
  job_not_finished: makeErrorRow(409, "This job isn't finished yet.", { retry: true }),
  cancelled: makeUnchargedRow(409, 'The job was canceled.'),
  link_expired: makeErrorRow(410, 'This link has expired. Get a new one.'),
  result_expired: makeErrorRow(410, 'This result has been deleted. Upload the image again to create a new one.'),
  file_too_large: makeUnchargedRow(413, "The file exceeds your plan's size limit."),
  range_not_satisfiable: makeErrorRow(416, 'The requested range is outside the file.'),
  unsupported_format: makeUnchargedRow(415, unsupportedFormatText),
  media_type_unsupported: makeErrorRow(
    415,
    "This file type isn't supported. Use JPEG, PNG, GIF, WebP, PDF, or text (TXT, MD).",
  ),
  unsupported_media_type: makeErrorRow(415, "This endpoint doesn't accept this content type."),
  unsupported_encoding: makeErrorRow(415, "Compressed request bodies aren't supported. Send the body uncompressed."),
  invalid_parameter: makeErrorRow(422, 'A parameter is invalid.'),
  conflicting_params: makeErrorRow(422, 'Some parameters conflict with each other.'),
  billing_address_invalid: makeErrorRow(
    422,
    "We couldn't use this billing address. Check the country and the postal code.",
  ),
  refund_too_large: makeErrorRow(422, 'The refund exceeds what is left of this payment. Enter a smaller amount.'),
  grant_limit: makeErrorRow(422, "Your role can't grant this many credits today. Enter a smaller number."),
  export_too_large: makeErrorRow(
    422,
    `This export has more than ${formatCount(limits.exportRows)} rows. Narrow the search or choose a status.`,
  ),
  empty_file: makeUnchargedRow(422, 'The file is empty.'),
  file_never_came: makeUnchargedRow(422, `The file wasn't uploaded within ${limits.batchHours} hours.`),
  corrupt_image: makeUnchargedRow(422, 'The image is damaged or incomplete. Choose another one.'),
  too_many_files: makeErrorRow(422, `You can upload up to ${mediaLimits.files} files at once.`),
  too_many_pixels: makeUnchargedRow(422, 'The image is larger than 100 megapixels.'),
  side_too_long: makeUnchargedRow(422, 'The image is wider or taller than 32,767 pixels.'),
  too_many_frames: makeUnchargedRow(422, 'The animation has too many frames.'),
  image_too_complex: makeUnchargedRow(
    422,
    'This image takes too long to decode. Open it in an image editor, save it as a new file, and try again.',
  ),
  target_bytes_unreachable: makeUnchargedRow(422, "The result can't be made that small, even at the lowest quality."),
  output_check_failed: makeUnchargedRow(
    422,
    "The result didn't match the original and was discarded. Choose another engine.",
    { report: true },
  ),
  output_too_large: makeUnchargedRow(
    422,
    'The result would exceed the size limit of your plan or the output format. Choose a smaller scale.',
  ),
  job_too_long: makeUnchargedRow(422, 'This image would take too long to process at this scale.'),
  engine_unavailable: makeUnchargedRow(422, "This engine isn't available. Choose another one."),
  idempotency_mismatch: makeErrorRow(422, 'This Idempotency-Key was already used with a different image or options.'),
  storage_full: makeUnchargedRow(422, 'Your storage is full. Delete results, or wait until they expire.'),
  password_too_short: makeErrorRow(422, 'Password must be at least 6 characters long'),
  password_too_common: makeErrorRow(422, 'This password is too common. Choose another one.'),
  password_unchanged: makeErrorRow(422, 'Choose a password that differs from your current one.'),
  preview_too_large: makeErrorRow(422, 'Previews are limited to 512 x 512 pixels and 2 MB.'),
  url_not_allowed: makeUnchargedRow(422, "This URL isn't allowed."),
  url_unreachable: makeUnchargedRow(422, "This URL couldn't be reached."),
  processing_crashed: makeUnchargedRow(422, "This image couldn't be processed.", { report: true }),
  processing_timeout: makeUnchargedRow(
    422,
    'This image took too long to process. Choose a smaller scale or a faster engine.',
    { report: true },
  ),
  processing_memory: makeUnchargedRow(422, 'This image needed too much memory to process. Choose a smaller scale.', {
    report: true,
  }),
  too_many_attempts: makeErrorRow(429, 'Too many attempts. Try again later, or reset your password.'),
  rate_limited: makeErrorRow(429, 'Too many requests. Try again in a moment.', { retry: true }),
  headers_too_large: makeErrorRow(431, 'The request headers are too large.'),
  internal: makeErrorRow(500, 'Something went wrong on our end. Try again.', { retry: true, report: true }),
  service_unavailable: makeErrorRow(503, 'The service is temporarily unavailable. Try again in a moment.', {
    retry: true,
    report: true,
  }),
  billing_unavailable: makeErrorRow(503, "Our payment provider isn't responding. Try again in a moment.", {
    retry: true,
    report: true,
    charged: 'once',
  }),
  image_not_ready: makeErrorRow(503, "This image isn't ready yet. Try again in a moment.", { retry: true }),
  server_busy: makeErrorRow(503, 'Too many large requests are in progress right now. Try again in a few seconds.', {
    retry: true,
  }),
  queue_full: makeErrorRow(503, 'Too many images are waiting right now. Try again in a few minutes.', { retry: true }),
  preview_too_slow: makeErrorRow(503, 'The preview is taking longer than expected. Try again in a moment.', {
    retry: true,
  }),
  maintenance: makeErrorRow(503, 'The service is down for maintenance. Try again later.', { retry: true }),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorCodes;
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);
