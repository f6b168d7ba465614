export const eventTypes = {
  'job.completed': 'A job completed. Get its `status_url` for a new `download_url`.',
  'job.failed': 'A job failed. `error` contains the reason. The job was not charged.',
  'job.cancelled': 'A job was canceled. Its error message says whether it was charged.',
  'job.expired': 'The result of a job expired or was deleted by its owner.',
  'batch.completed': 'All images of a batch are finished. `counts` contains their number by status.',
  'batch.item_rejected':
    'An image of a batch was rejected, could not be fetched, or was not uploaded in time. It has no job and was not charged. `error` contains the reason.',
  'quota.warning': 'The account has used 80% or 100% of its quota.',
  'webhook.test': 'A test event requested by the owner of the endpoint.',
} as const;
export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];
/** Event types to which an endpoint can subscribe. Excludes test events, which are always delivered. */
export const subscribableEventTypes = eventTypeNames.filter((type) => type !== 'webhook.test') as [
  EventType,
  ...EventType[],
];

/**
 * Delays between delivery attempts, in seconds. The ten attempts are spread over 75 hours and 35 minutes, as Standard
 * Webhooks recommends. Each delay is varied by up to 10%.
 */
export const webhookRetryDelaysS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
export const webhookJitter = 0.1;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryErrors = {
  bad_status: "The endpoint didn't respond with a 2xx status code.",
  redirect: "The endpoint responded with a redirect. Redirects aren't followed. Use the final URL.",
  gone: 'The endpoint responded with 410 Gone and was disabled.',
  not_allowed: "The URL isn't a public https URL on port 443.",
  dns: "The server's host name couldn't be resolved.",
  tls: "The server's certificate is invalid, or the TLS handshake failed.",
  timeout: 'The endpoint took too long to respond.',
  unreachable: "The server couldn't be reached or refused the connection.",
  broken: 'The connection was lost before the response.',
  disabled: 'The endpoint was disabled or deleted before the event was delivered.',
  plan: "The account's plan doesn't include webhooks.",
  simulated: 'This failure was triggered by a sandbox file name. The next attempt will be sent.',
} as const;
export type DeliveryError = keyof typeof deliveryErrors;
export const deliveryErrorNames = Object.keys(deliveryErrors) as [DeliveryError, ...DeliveryError[]];

/**
 * Why an endpoint is disabled. `owner`: its owner disabled it. `gone`: it responded with 410. `failing`: all attempts
 * to deliver an event failed.
 */
export const disabledReasons = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/**
 * ID of the endpoint that represents the `webhook_url` of individual jobs. The endpoint's secret signs the events sent
 * to these URLs.
 */
export const jobsEndpoint = 'jobs';
/** Prefix of endpoint secrets. It is followed by the bytes of the secret, encoded as base64. */
export const webhookSecretPrefix = 'whsec_';
