import { articleLimits } from '../../policy/articles.ts';
import { type LimitName, rateLimitName } from '../../policy/limit-names.ts';
import { limits } from '../../policy/limits.ts';
import { currentPlans } from '../../policy/plans/plans.ts';
import { type RateClass, rateLimits } from '../../policy/rate-limits.ts';
import { formatBytes, formatCount } from '../../texts/format.ts';
import { accountLimits, webhookLimits } from './account-limits.ts';
import { jobLimits, queueRow } from './job-limits.ts';
import { formatDuration, formatResponse, type LimitRow, type LimitRows, listPerPlan } from './limit-row.ts';
import { uploadLimits } from './upload-limits.ts';

const connectionCloseText = 'When connections close';
const serverBusyText = `Waits up to ${limits.bodyWaitSeconds} s, then ${formatResponse('server_busy')} with \`Retry-After\``;
const nextRequestText = 'With the next request';

const connectionLimits = {
  connections: {
    what: 'Open connections of a gateway',
    limit: '`MAX_CONNECTIONS`',
    met: 'Closed without a response',
    recovers: connectionCloseText,
  },
  address_connections: {
    what: 'Open connections of an IP address',
    limit: '`MAX_CONNECTIONS_PER_ADDRESS`, unless `TRUST_PROXY` is set',
    met: 'Closed without a response',
    recovers: connectionCloseText,
  },
  pipelined_requests: {
    what: 'Requests of a connection that wait for an earlier response (pipelining)',
    limit: `${limits.pipelinedRequests}; they are handled one at a time`,
    met: 'The connection is closed',
    recovers: 'With a new connection',
  },
  header_time: {
    what: 'Time to send the headers of a request',
    limit: `${limits.headerSeconds} s`,
    met: `${formatResponse('malformed_body', 408)}, closed`,
    recovers: 'With a new connection',
  },
  header_size: {
    what: 'Size of the headers',
    limit: formatBytes(limits.headerBytes),
    met: `${formatResponse('headers_too_large')}, closed`,
    recovers: nextRequestText,
  },
  body_pace: {
    what: 'Pace of a body',
    limit: `${formatCount(limits.bodyBytesPerSecond)} bytes per second, measured over ${limits.bodyPaceSeconds} s`,
    met: `Uploads: ${formatResponse('malformed_multipart')}. Other bodies: closed`,
    recovers: nextRequestText,
  },
  unread_body: {
    what: 'A body that is not read to its end, because the response is known or the endpoint has no body',
    limit: 'Not received after the response',
    met: `The response is sent, and the connection is closed within ${limits.unreadBodySeconds} s`,
    recovers: 'With a new connection',
  },
  json_size: {
    what: 'Size of a JSON body',
    limit: [
      formatBytes(limits.bodyBytes),
      `${formatBytes(limits.jsonImageBytes)} with a base64 image`,
      `${formatBytes(limits.batchBodyBytes)} for a new batch`,
      `${formatBytes(limits.stripeEventBytes)} for a Stripe event`,
      `${formatBytes(articleLimits.bodyBytes)} for the text of an article`,
    ].join('; '),
    met: `${formatResponse('malformed_body')}; with an image, for a batch of \`/v1\`, or for a Stripe event: ${formatResponse('file_too_large')}`,
    recovers: nextRequestText,
  },
  json_values: {
    what: 'Values in a JSON body of `/v1` with an image or for a new batch',
    limit: formatCount(limits.jsonValues),
    met: formatResponse('malformed_body'),
    recovers: nextRequestText,
  },
  body_memory: {
    what: 'Bodies in the memory of a gateway: images of MCP, attachments, Stripe events, and JSON above the usual size',
    limit: `\`BODY_MEMORY_MB\`; 1/${limits.accountBodyShares} of it per account, 1/${limits.addressBodyShares} per IP address`,
    met: serverBusyText,
    recovers: 'When other bodies are answered',
  },
  body_spool: {
    what: 'Bodies in temporary files of a gateway: images of MCP',
    limit: `\`SPOOL_MB\`; 1/${limits.accountBodyShares} of it per account, 1/${limits.addressBodyShares} per IP address`,
    met: `${serverBusyText}, before the body is read`,
    recovers: 'When other bodies are answered',
  },
  address_uploads: {
    what: 'Unfinished uploads from an IP address',
    limit: `${formatBytes(limits.addressUploadBytes)} per gateway`,
    met: `${serverBusyText}, before the body is read`,
    recovers: 'When one of them ends',
  },
  mcp_messages: {
    what: 'Messages in one request to `/mcp`',
    limit: String(limits.mcpMessages),
    met: '400 with the JSON-RPC error -32600',
    recovers: nextRequestText,
  },
  form_parts: {
    what: 'Parts of a form',
    limit: `${limits.formFields} text fields of ${formatBytes(limits.formFieldBytes)}; 1 file and a mask of ${formatBytes(limits.maskBytes)}, or ${limits.batchItems} files for a batch`,
    met: `${formatResponse('malformed_multipart')}; long field: ${formatResponse('invalid_parameter')}`,
    recovers: nextRequestText,
  },
  account_streams: {
    what: 'Event streams of an account',
    limit: `${limits.accountStreams} per gateway`,
    met: `${formatResponse('rate_limited')}, \`Retry-After: ${limits.streamRetrySeconds}\``,
    recovers: 'When a stream closes',
  },
  address_streams: {
    what: 'Event streams of an IP address',
    limit: `${limits.addressStreams} per gateway`,
    met: `${formatResponse('rate_limited')}, \`Retry-After: ${limits.streamRetrySeconds}\``,
    recovers: 'When a stream closes',
  },
} as const satisfies LimitRows;

/** `countedBy`: what each limit applies to, such as an account. */
const rateClassTexts: Record<RateClass, { what: string; countedBy: string }> = {
  auth: { what: 'sign-in, sign-up, and links from emails', countedBy: 'IP address' },
  processing: { what: 'new jobs and batches, and estimates', countedBy: 'account, or IP address of a visitor' },
  uploads: { what: 'MCP messages that are large enough for an image', countedBy: 'account' },
  key: { what: '`GET /v1/account`', countedBy: 'API key' },
  preview: { what: 'previews', countedBy: 'IP address' },
  fetch: { what: 'images fetched from URLs before they are processed', countedBy: 'IP address' },
  leads: { what: 'inquiries', countedBy: 'IP address' },
  contact: { what: 'contact forms, also rejected ones', countedBy: 'IP address' },
  messages: { what: 'contact forms that are accepted', countedBy: 'IP address' },
  newsletter: { what: 'subscriptions to emails', countedBy: 'IP address' },
  votes: { what: 'votes on help articles', countedBy: 'IP address' },
  proofs: {
    what: 'proofs by password or code of signed-in users, also correct ones, and deletions of passkeys',
    countedBy: 'account',
  },
  billing: { what: 'plans, packs, cards, and bills, where Stripe is asked', countedBy: 'account' },
  archives: { what: 'ZIP archives and manifests of batches', countedBy: 'account' },
  reads: {
    what: 'other GET requests, event streams, downloads, files of batches, MCP messages, and pages that read the database (blog, help, legal, status)',
    countedBy: 'session, key, or IP address',
  },
  images: { what: 'image URLs', countedBy: 'IP address and gateway' },
  readiness: { what: '`GET /readyz`', countedBy: 'IP address and gateway' },
  writes: { what: 'other writes', countedBy: 'session, key, or IP address' },
};

const windowEndText = 'When the window ends, see `Retry-After`';

function rateRow(rateClass: RateClass): LimitRow {
  const { calls, windowMs } = rateLimits[rateClass];
  const { what, countedBy } = rateClassTexts[rateClass];
  const callsText = calls === 'plan' ? listPerPlan((plan) => formatCount(plan.callsPerMinute)) : formatCount(calls);
  return {
    what: `Requests: ${what}`,
    limit: `${callsText} in ${formatDuration(windowMs / 1_000)} per ${countedBy}`,
    met: formatResponse('rate_limited'),
    recovers: windowEndText,
  };
}

const requestLimits = {
  [rateLimitName('auth')]: rateRow('auth'),
  [rateLimitName('processing')]: rateRow('processing'),
  [rateLimitName('uploads')]: rateRow('uploads'),
  [rateLimitName('key')]: rateRow('key'),
  requests_own_key: {
    what: 'Requests: all of an API key with its own limit',
    limit: 'Set by its owner, per minute',
    met: formatResponse('rate_limited'),
    recovers: windowEndText,
  },
  [rateLimitName('preview')]: rateRow('preview'),
  [rateLimitName('fetch')]: rateRow('fetch'),
  [rateLimitName('leads')]: rateRow('leads'),
  [rateLimitName('contact')]: rateRow('contact'),
  [rateLimitName('messages')]: rateRow('messages'),
  [rateLimitName('newsletter')]: rateRow('newsletter'),
  [rateLimitName('votes')]: rateRow('votes'),
  [rateLimitName('proofs')]: rateRow('proofs'),
  [rateLimitName('billing')]: rateRow('billing'),
  [rateLimitName('archives')]: rateRow('archives'),
  [rateLimitName('reads')]: rateRow('reads'),
  [rateLimitName('images')]: rateRow('images'),
  [rateLimitName('readiness')]: rateRow('readiness'),
  [rateLimitName('writes')]: rateRow('writes'),
  network_requests: {
    what: 'Requests from one network that prove no account, or are rejected by another limit or for their origin. Not image URLs, `/readyz`, and files of the web app',
    limit: `${limits.networkRequests} per second per IP prefix (/24, /56) and gateway, ${limits.networkBurst} at once, and half as many from one address`,
    met: `Waits. The address with the fewest recent requests is next. If ${(limits.networkRequests * limits.networkWaitMs) / 1_000} wait already, ${formatResponse('rate_limited')}, after ${limits.networkWaitMs / 1_000} s`,
    recovers: 'Gradually, see `Retry-After`',
  },
  unknown_secrets: {
    what: 'API keys, image URLs, passkeys, and links from emails that do not exist, counted separately by type',
    limit: `${limits.unknownSecrets} per minute per IP prefix (/24, /56) and gateway. Secrets that were valid in the last ${limits.knownSecretDays} days still work`,
    met: `${formatResponse('rate_limited')}, after ${limits.unknownSecretDelayMs / 1_000} s`,
    recovers: 'Gradually, see `Retry-After`',
  },
} as const satisfies LimitRows;

const requestNotes = `Rate limits are counted in Redis, for all gateways together, except those of image URLs,
\`/readyz\`, networks, and secrets that do not exist. \`RATE_LIMIT_SCALE\` multiplies them. While Redis is
unavailable, each gateway counts in memory (\`rate_limit_fallbacks_total\`), and rejects sign-ins, previews, and images by URL with
${formatResponse('service_unavailable')}, because each gateway would allow all of them again. Administrators set the processing
requests of the ${currentPlans.free.name} plan, which are the minimum of all plans, and can turn rate limits off, except those of
sign-in, proofs by password, previews, images by URL, \`/readyz\`, and secrets that do not exist.

Until a request proves its account, its caller is its IP prefix: /24 of IPv4, /56 of IPv6. One prefix uses at most
${limits.prefixConnectionsPercent}% of a gateway's database connections, and all of them ${limits.unprovenConnectionsPercent}%. A secret that does not exist is not looked up again for
${limits.unknownSecretSeconds} seconds.`;

const allLimits: Record<LimitName, LimitRow> = {
  ...connectionLimits,
  ...requestLimits,
  ...uploadLimits,
  ...jobLimits,
  ...webhookLimits,
  ...accountLimits,
};

const formatLine = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const formatRow = ({ what, limit, met, recovers }: LimitRow, metric: string) =>
  formatLine(what, limit, met, metric, recovers);

/** Measured with `npm run bench:bombs`. `estimate` and `cpu`: estimated and measured CPU time, in seconds. */
type DecoderCost = { file: string; megabytes: number; estimate: number; cpu: number };

const measurementMachine = 'two cores of an AMD EPYC (Zen 4) and 24 GB of memory, shared with other work';

/** For each format, the most expensive valid files of at most 50 MB that we found. Each is resized to 64 pixels. */
const decoderCosts: readonly DecoderCost[] = [
  { file: 'JPEG: 100 scans of 100 megapixels', megabytes: 2.75, estimate: 5.5, cpu: 4.9 },
  { file: 'JPEG: noise at the highest quality, progressive', megabytes: 36, estimate: 0.8, cpu: 1.6 },
  { file: 'PNG: 100 megapixels of 4 x 16 bits', megabytes: 0.8, estimate: 5.9, cpu: 10.6 },
  { file: 'PNG: 49 MB of compressed data without pixels', megabytes: 49, estimate: 3.8, cpu: 3.2 },
  { file: 'TIFF: 25 megapixels of Lab colors', megabytes: 0.29, estimate: 9.5, cpu: 10.2 },
  { file: 'TIFF: 100 tiles with the same 300 scans', megabytes: 0.01, estimate: 7.1, cpu: 2.1 },
  { file: 'TIFF: 100 rows with the same codes', megabytes: 1, estimate: 7.6, cpu: 6.3 },
  { file: 'WebP: noise at the highest quality', megabytes: 14.7, estimate: 0.6, cpu: 1.2 },
  { file: 'WebP: 49 frames of 1 megapixel', megabytes: 48, estimate: 1.7, cpu: 2.2 },
  { file: 'GIF: 1,000 frames of 0.05 megapixels', megabytes: 0.02, estimate: 3.3, cpu: 8.3 },
  { file: 'AVIF: 64 tiles of 4 megapixels, of which it shows a part', megabytes: 0.001, estimate: 33.7, cpu: 8.3 },
  { file: 'AVIF: noise without losses', megabytes: 9.6, estimate: 2.4, cpu: 2.3 },
  { file: 'HEIC: 1,936 tiles, of which it shows a pixel', megabytes: 0.01, estimate: 1.1, cpu: 1.3 },
  { file: 'JPEG XL: 100 frames, of which it shows the last', megabytes: 0.01, estimate: 7.9, cpu: 6.6 },
  { file: 'JPEG XL: noise without losses', megabytes: 7.3, estimate: 1, cpu: 1.6 },
];

const maxCpuFactor = 3;
const costRow = ({ file, megabytes, estimate, cpu }: (typeof decoderCosts)[number]) =>
  formatLine(file, `${megabytes} MB`, `${estimate} s`, `${cpu} s`);

/** Content of docs/reference/limits.md. */
export const limitsPage = `# Limits

Every limit that a client can meet. Numbers are in \`packages/contracts/src/policy/limits.ts\`,
\`packages/contracts/src/policy/plans/plans.ts\`, and \`packages/contracts/src/policy/rate-limits.ts\`; names in capitals are
[settings](../settings.md). This page is generated from them (\`packages/contracts/src/docs/limits/limits-page.ts\`).

Each service counts the limits that its clients meet in \`limits_met_total\`, by the name in the column "Metric". Limits of
values, such as the length of a name, are in the reference of the API and are not counted. Nothing is charged at a limit,
except for jobs that are canceled late.

${formatLine('What', 'Limit', 'At the limit', 'Metric', 'Recovers')}
${formatLine('---', '---', '---', '---', '---')}
${Object.entries(allLimits)
  .map(([name, facts]) => formatRow(facts, `\`${name}\``))
  .join('\n')}
${formatRow(queueRow, queueRow.metric)}

${requestNotes}

## Decoding
The estimate of a job counts what its file makes the decoder do ([imaging.md](imaging.md#limits-of-header-inspection)). These
are the most expensive valid files of at most 50 MB that were found. The goal is CPU time of at most ${maxCpuFactor} times the estimate.
Measured with \`npm run bench:bombs\` on ${measurementMachine}.

${formatLine('File', 'Size', 'Estimate', 'CPU time')}
${formatLine('---', '---', '---', '---')}
${decoderCosts.map(costRow).join('\n')}

## Connections
Everything that a request opens is released when its connection ends. \`http_connections\` counts open connections,
\`inspections_waiting\` images that wait for inspection, and \`inspection_duration_seconds\` the time of inspections by
outcome.
`;
