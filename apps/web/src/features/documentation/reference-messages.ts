import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';

const megapixels = (pixels: number) => `${formatCount(pixels / 1e6)} megapixels`;

/** Texts of the API reference that are not in the schemas. Backticks mark code; `[label](url)` marks a link. */
export const referenceMessages = {
  authentication: {
    title: 'Authentication',
    text: `Every call carries a key: \`Authorization: Bearer YOUR_API_KEY\`. Cookies are not looked at, and keys do not work on the web's own calls. A key that is unknown, switched off, replaced or over answers 401 [bad_api_key](#bad_api_key); one whose plan has no API 403 [plan_feature](#plan_feature).\n\nA key has scopes: \`process\` makes images, \`read\` reads what was made and the account, \`webhooks\` manages webhooks. It may have an end, a monthly cap, fewer calls a minute and addresses of its own. Replace it without a pause: the former key goes on for as long as you say.`,
  },
  answers: {
    title: 'Answers',
    text: 'JSON with names in `snake_case`. Fields of images and of bodies may be sent in any spelling: `scale_factor`, `scaleFactor`, `scale-factor` are one; filters of lists only as they stand here. Lists are `{"data": [...], "next_cursor": ...}`; send `next_cursor` as `cursor` for the next page, to `/v1/events` as `after`. Nothing you sent is changed silently: what was decided for you stands in `notes`.',
  },
  parameters: {
    title: 'Parameters of an image',
    text: 'In the form, in the JSON body or in the address. The size is asked for in one way. Fields that contradict each other are refused with [conflicting_params](#conflicting_params).',
    usual: (value: string) => `default ${value}`,
    also: (names: string) => `also ${names}`,
  },
  tags: {
    Images: 'Images',
    Jobs: 'Jobs and status',
    Batches: 'Batches',
    Account: 'Account',
    Webhooks: 'Webhooks and events',
    Documentation: 'Descriptions',
  } as Record<string, string>,
  scope: (name: string) => `Scope: ${name}`,
  noKey: 'No key needed',
  mayRefuse: 'Errors',
  fields: {
    title: 'Fields',
    needed: 'needed',
    loading: 'One moment …',
    missing: 'The description of the API could not be loaded. Close this and open it again.',
    places: { path: 'In the path', query: 'In the address', json: 'In the JSON body', form: 'In the form' },
  },
  alsoAt: (paths: readonly string[]) => `Also at ${paths.map((path) => `\`${path}\``).join(', ')}.`,
  repeats: {
    title: 'Repeats and stored results',
    text: `Send an \`Idempotency-Key\` of your choice with a call that makes something. The same key with the same image and settings answers with the first job for ${limits.idempotencyHours} hours, at no charge; with others it is refused with [idempotency_mismatch](#idempotency_mismatch).\n\nWithout a key, a call with an image and settings whose result is still stored answers with that result: \`X-Cache: hit\`, 0 units. Send \`cache=false\` for a new one.`,
  },
  webhooks: {
    title: 'Webhooks',
    text: `We send events to addresses of yours as they happen, signed as [Standard Webhooks](https://www.standardwebhooks.com) asks: \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. The signature is \`v1,\` and the base64 of an HMAC-SHA256 over \`id.timestamp.body\` with the secret of the endpoint, whose bytes are the base64 after \`whsec_\`. While a secret is being replaced there are two signatures with a blank between. Refuse what is older than five minutes, and know an event that comes twice by its id. The SDKs do all of this.\n\nWhat goes to the \`webhook_url\` of a single job is signed with a secret of your account: \`POST /v1/webhooks/jobs/rotate\` makes a new one and shows it.\n\nAnswer 2xx within ${limits.webhookSeconds} seconds. After anything else we try again: ten attempts over about 75 hours. A redirect counts as a failure and is never followed; 410 switches the endpoint off. We write to you at the first failure and when an endpoint is switched off.`,
    feed: `A webhook is a hint; the feed is the truth. \`GET /v1/events?after=ID\` tells everything that happened in the last ${limits.eventDays} days in its order, also to plans without webhooks.`,
    plans: (names: string) =>
      `Webhooks come with ${names}. Every plan that has the API has the feed, and webhooks of the sandbox: make them with a test key.`,
    events: 'Events',
    payload: 'Fields of a webhook, of job.completed',
    failures: 'Why a delivery fails',
  },
  headers: {
    title: 'Headers',
    sent: 'That you may send',
    received: 'That answers have',
  },
  limits: {
    title: 'Limits',
    label: 'Limits for everyone',
    note: 'A plan may set less; see below. What is over a limit is refused with its code, and nothing is charged.',
    rows: [
      ['Image that is sent', `${megapixels(limits.inputPixels)}, ${formatCount(limits.inputSide)} pixels a side`],
      ['Animation', `${formatCount(limits.frames)} frames, ${megapixels(limits.animationPixels)} together`],
      ['JSON body with an image in it', formatBytes(limits.jsonImageBytes)],
      ['Result', `${megapixels(limits.outputPixels)}, ${formatCount(limits.outputSide)} pixels a side`],
      ['Files of a batch', formatCount(limits.batchItems)],
      ['Time for the files of a batch', `${limits.batchHours} hours`],
      ['Fetching an image from the web', `${limits.fetchSeconds} seconds`],
      [
        'Waiting for a result in a call',
        `${limits.waitSeconds} seconds, ${limits.maxWaitSeconds} with \`Prefer: wait=${limits.maxWaitSeconds}\``,
      ],
      ['Download link', `${limits.downloadLinkMinutes} minutes; each look at the job gives a new one`],
      ['Results are kept', `${retention.resultMinutes / 60} hours, or as \`retention\` says`],
      ['Idempotency keys', `${limits.idempotencyHours} hours, ${limits.idempotencyKeyLength} characters`],
      ['Rows of a page', `${limits.pageRows}, at most ${limits.maxPageRows}`],
      ['API keys of an account', formatCount(limits.apiKeys)],
    ] as const,
    rates: 'Calls a minute',
    rateRows: [
      ['Calls that make images', 'As many as the plan says, for all keys of an account together; a batch counts once.'],
      ['Reading jobs, batches, events and files', `${formatCount(rateLimits.reads.calls)} for each key.`],
      ['All other writes', `${formatCount(rateLimits.writes.calls)} for each key.`],
      ['The account', 'As many as the plan says, for each key.'],
    ] as const,
    over: 'More answers 429 [rate_limited](#rate_limited) with `Retry-After`. `RateLimit-Remaining` tells what is left, `RateLimit-Reset` the seconds until there is more.',
  },
  plans: {
    title: 'Plans',
    text: 'One unit is one image that was made. Web and API share the units of these plans.',
  },
  sandbox: {
    title: 'Sandbox',
    text: `Test keys everywhere, and any key under \`${sandbox.prefix}\`, make real images that cost nothing: files of up to ${formatBytes(sandbox.maxBytes)}, results of up to ${sandbox.maxSide} pixels a side, kept for an hour. Every call is there. Jobs of the sandbox and live jobs do not see each other.\n\nNames of files make things happen, whatever their ending: try how your program bears them.`,
    names: 'File names that make something happen',
  },
  errors: {
    title: 'Errors',
    text: 'Every refusal is `application/problem+json` with a `code`, the `detail` in words, the `param` that is wrong, what is `allowed`, a `hint`, the `request_id`, and a `documentation_url` that leads to its row here. Where a factor is too large, `max_scale` is one that works. Calls with "again" may be repeated as they are.',
    again: 'again',
    filter: 'Find a code',
  },
  changes: {
    title: 'Changelog',
    text: 'What changes is told here first. Within `v1` fields are added, never removed or renamed.',
  },
} as const;
