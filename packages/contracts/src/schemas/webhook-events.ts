/** What happens to an account that its programs may want to hear of: event -> what it tells. */
export const eventTypes = {
  'job.completed': 'An image is ready. Ask its status_url for a fresh download_url.',
  'job.failed': 'A job failed and will not be retried. `error` holds the reason. The job was not charged.',
  'job.cancelled': 'A job was canceled. It was not charged.',
  'job.expired': 'The result of a job was deleted, when its time was over or by its owner.',
  'batch.completed': 'Nothing of a batch waits or runs any more; "counts" tells what became of its images.',
  'quota.warning': 'So many percent of what the plan includes are used.',
  'webhook.test': 'Was sent to try an endpoint.',
} as const;
export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];
/** What an endpoint may ask for; a test reaches it always. */
export const subscribable = eventTypeNames.filter((type) => type !== 'webhook.test') as [EventType, ...EventType[]];

/**
 * Seconds between one attempt of a delivery and the next: ten attempts over 75 hours and 35 minutes, as Standard Webhooks
 * advises. Each wait is up to a tenth shorter or longer, so that deliveries do not come back all at once.
 */
export const webhookLadderS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
export const webhookJitter = 0.1;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt of a delivery failed. */
export const deliveryErrors = {
  bad_status: 'The endpoint did not answer with a status from 200 to 299.',
  redirect: 'The endpoint answered with a redirect, which is never followed. Give the address that it leads to.',
  gone: 'The endpoint answered 410 Gone and was switched off.',
  not_allowed: 'The address does not lie on the public internet, or is not https on port 443.',
  dns: 'There is no server of this name.',
  tls: 'The certificate of the server is not valid, or it speaks no TLS that we know.',
  timeout: 'The endpoint did not answer in time.',
  unreachable: 'The server refused the connection or cannot be reached.',
  broken: 'The connection broke before there was an answer.',
  disabled: 'The endpoint was switched off, or removed, before the event was delivered.',
  plan: 'The plan of the account does not include webhooks.',
  simulated: 'The sandbox was asked for a failure by the name of the file. The next attempt is a real one.',
} as const;
export type DeliveryError = keyof typeof deliveryErrors;
export const deliveryErrorNames = Object.keys(deliveryErrors) as [DeliveryError, ...DeliveryError[]];

/** Why an endpoint is off: its owner wanted it, it answered 410, or every attempt of a delivery failed. */
export const disabledReasons = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Instead of an id: the endpoint that stands for the `webhook_url` of single jobs, whose secret signs what they are sent. */
export const jobsEndpoint = 'jobs';
/** How the secret of an endpoint begins; base64 of its bytes follows. */
export const webhookSecretPrefix = 'whsec_';
