import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';

const megapixels = (pixels: number) => `${formatCount(pixels / 1e6)} megapixels`;

/** Texts of the API reference that are not part of the schemas. Backticks mark code, `[text](url)` a link. */
export const referenceMessages = {
  authentication: {
    title: 'Authentication',
    text: `Send your API key with every request: \`Authorization: Bearer YOUR_API_KEY\`. A key that is unknown, inactive, rotated, or expired gets 401 [bad_api_key](#bad_api_key). If your plan doesn't include the API, you get 403 [plan_feature](#plan_feature).\n\nEach key has scopes: \`process\` processes images, \`read\` reads jobs, batches, and the account, and \`webhooks\` manages webhooks. You can also set an expiration, a monthly limit, a rate limit, and allowed IP addresses. Rotate keys without downtime: the previous key stays valid for as long as you choose.`,
  },
  answers: {
    title: 'Responses',
    text: 'Responses are JSON with field names in `snake_case`. In requests, `scale_factor`, `scaleFactor`, and `scale-factor` are equivalent. Query parameters of lists must be named as documented. Lists are `{"data": [...], "next_cursor": ...}`. Send `next_cursor` as `cursor` for the next page, or as `after` for `/v1/events`. `notes` lists everything that differs from your request.',
  },
  parameters: {
    title: 'Parameters',
    text: 'Send parameters in the form, the JSON body, or the query string. Set the size in only one way. Conflicting parameters get [conflicting_params](#conflicting_params).',
    usual: (value: string) => `default ${value}`,
    also: (names: string) => `alias ${names}`,
  },
  tags: {
    Images: 'Images',
    Jobs: 'Jobs',
    Batches: 'Batches',
    Account: 'Account',
    Webhooks: 'Webhooks and events',
    Documentation: 'API descriptions',
  } as Record<string, string>,
  scope: (name: string) => `Scope: ${name}`,
  noKey: 'No API key required',
  mayRefuse: 'Errors',
  fields: {
    title: 'Fields',
    needed: 'required',
    loading: 'Loading...',
    missing: "The fields couldn't be loaded. Close and open this section to try again.",
    places: { path: 'Path', query: 'Query', json: 'JSON body', form: 'Form' },
  },
  alsoAt: (paths: readonly string[]) => `Also available at ${paths.map((path) => `\`${path}\``).join(', ')}.`,
  repeats: {
    title: 'Idempotency and caching',
    text: `Send an \`Idempotency-Key\` with requests that create something. For ${limits.idempotencyHours} hours, the same key with the same image and options returns the first job at no charge. With a different image or options, it returns [idempotency_mismatch](#idempotency_mismatch).\n\nWithout a key, a request for a stored result with the same image and options returns that result: \`X-Cache: hit\`, 0 credits. Send \`cache=false\` to process the image again.`,
  },
  webhooks: {
    title: 'Webhooks',
    text: `Events are sent to your endpoints as they happen. They are signed according to [Standard Webhooks](https://www.standardwebhooks.com) with the headers \`webhook-id\`, \`webhook-timestamp\`, and \`webhook-signature\`. The signature is \`v1,\` followed by the base64 of an HMAC-SHA256 over \`id.timestamp.body\`. The key is the base64 part of the secret after \`whsec_\`. While a secret is being rotated, there are two signatures separated by a space. Reject requests older than 5 minutes, and use the ID to ignore duplicates. The SDKs do all of this.\n\nDeliveries to the \`webhook_url\` of a job are signed with a secret of your account. Create a new one with \`POST /v1/webhooks/jobs/rotate\`.\n\nRespond with 2xx within ${limits.webhookSeconds} seconds. Failed deliveries are retried up to 10 times over about 75 hours. Redirects count as failures. A 410 response disables the endpoint. We email you at the first failure and when an endpoint is disabled.`,
    feed: `\`GET /v1/events?after=ID\` returns all events of the last ${limits.eventDays} days in order. It is available on all plans with API access.`,
    plans: (names: string) =>
      `Webhooks are included in ${names}. All plans with API access include webhooks for sandbox events. Create them with a test key.`,
    events: 'Events',
    payload: 'Payload of job.completed',
    failures: 'Delivery errors',
  },
  headers: {
    title: 'Headers',
    sent: 'Request headers',
    received: 'Response headers',
  },
  limits: {
    title: 'Limits',
    label: 'Limits of all plans',
    note: 'Your plan may have lower limits, see below. Requests that exceed a limit fail and are not charged.',
    rows: [
      ['Image', `${megapixels(limits.inputPixels)}, ${formatCount(limits.inputSide)} pixels per side`],
      ['Animation', `${formatCount(limits.frames)} frames, ${megapixels(limits.animationPixels)} in total`],
      ['JSON body with an image', formatBytes(limits.jsonImageBytes)],
      ['Result', `${megapixels(limits.outputPixels)}, ${formatCount(limits.outputSide)} pixels per side`],
      ['Images per batch', formatCount(limits.batchItems)],
      ['Upload window of a batch', `${limits.batchHours} hours`],
      ['Fetching an image URL', `${limits.fetchSeconds} seconds`],
      [
        'Waiting for a result',
        `${limits.waitSeconds} seconds, ${limits.maxWaitSeconds} with \`Prefer: wait=${limits.maxWaitSeconds}\``,
      ],
      ['Download URL', `${limits.downloadLinkMinutes} minutes`],
      ['Result retention', `${retention.resultMinutes / 60} hours, or less with \`retention\``],
      ['Idempotency keys', `${limits.idempotencyHours} hours, ${limits.idempotencyKeyLength} characters`],
      ['Items per page', `${limits.pageRows} by default, up to ${limits.maxPageRows}`],
      ['API keys per account', formatCount(limits.apiKeys)],
    ] as const,
    rates: 'Requests per minute',
    rateRows: [
      ['Processing', 'The limit of your plan, shared by all keys. A batch counts as one request.'],
      ['Reading jobs, batches, events, and files', `${formatCount(rateLimits.reads.calls)} per key.`],
      ['All other writes', `${formatCount(rateLimits.writes.calls)} per key.`],
      ['Account', 'The limit of your plan, per key.'],
    ] as const,
    over: 'Requests over the limit get 429 [rate_limited](#rate_limited) with `Retry-After`. `RateLimit-Remaining` is the number of requests left, and `RateLimit-Reset` the seconds until the limit resets.',
  },
  plans: {
    title: 'Plans',
    text: 'One image uses one credit. On these plans, the web app and the API share the same credits.',
  },
  sandbox: {
    title: 'Sandbox',
    text: `Use a test key, or any key under \`${sandbox.prefix}\`, to process images for free. Files can have up to ${formatBytes(sandbox.maxBytes)}. Results have up to ${sandbox.maxSide} pixels per side and are kept for 1 hour. All endpoints are available. Sandbox jobs and live jobs are separate.\n\nUse the following file names, with any extension, to trigger errors and delays.`,
    names: 'Test triggers by file name',
  },
  errors: {
    title: 'Errors',
    text: 'Errors are `application/problem+json` with `code`, `detail`, `request_id`, and `documentation_url`, which links to this table. Most also have the invalid `param`, its `allowed` values, and a `hint`. If the scale is too large, `max_scale` is the largest one that works. Requests marked "retry" can be repeated unchanged.',
    again: 'retry',
    filter: 'Filter errors',
  },
  changes: {
    title: 'Changelog',
    text: 'Changes to the API. Within `v1`, fields are only added, never removed or renamed.',
  },
} as const;
