import { rateLimitName } from '../../policy/limit-names.ts';
import { limits } from '../../policy/limits.ts';
import { currentPlans } from '../../policy/plans.ts';
import { type RateClass, rateLimits } from '../../policy/rate-limits.ts';
import { formatCount } from '../../texts/format.ts';
import { duration, type LimitRow, type LimitRows, perPlan, response } from './limit-row.ts';

/** `countedBy`: the requests that are counted together. */
const classes: Record<RateClass, { what: string; countedBy: string }> = {
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

const window = 'When the window ends, see `Retry-After`';

function rateRow(rateClass: RateClass): LimitRow {
  const { calls, windowMs } = rateLimits[rateClass];
  const { what, countedBy } = classes[rateClass];
  const count = calls === 'plan' ? perPlan((plan) => formatCount(plan.callsPerMinute)) : formatCount(calls);
  return {
    what: `Requests: ${what}`,
    limit: `${count} in ${duration(windowMs / 1_000)} per ${countedBy}`,
    met: response('rate_limited'),
    recovers: window,
  };
}

/** Rate limits. */
export const requestLimits = {
  [rateLimitName('auth')]: rateRow('auth'),
  [rateLimitName('processing')]: rateRow('processing'),
  [rateLimitName('uploads')]: rateRow('uploads'),
  [rateLimitName('key')]: rateRow('key'),
  requests_own_key: {
    what: 'Requests: all of an API key with its own limit',
    limit: 'Set by its owner, per minute',
    met: response('rate_limited'),
    recovers: window,
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
    met: `Waits. The address with the fewest recent requests is next. If ${(limits.networkRequests * limits.networkWaitMs) / 1_000} wait already, ${response('rate_limited')}, after ${limits.networkWaitMs / 1_000} s`,
    recovers: 'Gradually, see `Retry-After`',
  },
  unknown_secrets: {
    what: 'API keys, image URLs, passkeys, and links from emails that do not exist, counted separately by type',
    limit: `${limits.unknownSecrets} per minute per IP prefix (/24, /56) and gateway. Secrets that were valid in the last ${limits.knownSecretDays} days still work`,
    met: `${response('rate_limited')}, after ${limits.unknownSecretDelayMs / 1_000} s`,
    recovers: 'Gradually, see `Retry-After`',
  },
} as const satisfies LimitRows;

/** How many requests are counted, below the table. */
export const requestNotes = `Rate limits are counted in Redis, for all gateways together, except those of image URLs,
\`/readyz\`, networks, and secrets that do not exist. \`RATE_LIMIT_SCALE\` multiplies them. While Redis is
unavailable, each gateway counts in memory (\`rate_limit_fallbacks_total\`), and rejects sign-ins, previews, and images by URL with
${response('service_unavailable')}, because each gateway would allow all of them again. Administrators set the processing
requests of the ${currentPlans.free.name} plan, which are the minimum of all plans, and can turn rate limits off, except those of
sign-in, proofs by password, previews, images by URL, \`/readyz\`, and secrets that do not exist.

Until a request proves its account, its caller is its IP prefix: /24 of IPv4, /56 of IPv6. One prefix uses at most
${limits.prefixConnectionsPercent}% of a gateway's database connections, and all of them ${limits.unprovenConnectionsPercent}%. A secret that does not exist is not looked up again for
${limits.unknownSecretSeconds} seconds.`;
