import { type RouteName, routes } from '../endpoints/routes.ts';

/** Rate limits by class of request. `plan`: the limit is the requests per minute of the caller's plan. */
export const rateLimits = {
  /** Sign-in, sign-up, and links from emails, per IP address. */
  auth: { calls: 50, windowMs: 15 * 60_000 },
  /** Processing requests, per account across all of its keys, or per IP address. The sandbox is counted separately. */
  processing: { calls: 'plan', windowMs: 60_000 },
  /** Requests to `/mcp` that are large enough to contain an image, per account. */
  uploads: { calls: 'plan', windowMs: 60_000 },
  /**
   * `GET /v1/account`, per key. All requests of a key that has its own rate limit also count toward that limit, in the
   * same window.
   */
  key: { calls: 'plan', windowMs: 60_000 },
  /** Previews, per IP address. */
  preview: { calls: 10, windowMs: 60 * 60_000 },
  /** Images fetched from URLs before they are processed, per IP address. */
  fetch: { calls: 60, windowMs: 60 * 60_000 },
  /** Inquiries, per IP address. */
  leads: { calls: 5, windowMs: 60 * 60_000 },
  /** Submitted contact forms, including rejected ones, per IP address. */
  contact: { calls: 30, windowMs: 60 * 60_000 },
  /** Accepted contact form submissions, per IP address. */
  messages: { calls: 5, windowMs: 60 * 60_000 },
  /** Subscriptions to emails, per IP address. */
  newsletter: { calls: 5, windowMs: 60 * 60_000 },
  /** Votes on help articles, per IP address. */
  votes: { calls: 20, windowMs: 60 * 60_000 },
  /**
   * Requests that check the password or a code of a signed-in user, or that require a recent check, per account.
   * Successful requests count, too.
   */
  proofs: { calls: 30, windowMs: 10 * 60_000 },
  /**
   * User requests that result in Stripe calls, per account. Each request makes up to 10 calls, and Stripe allows 100
   * per second.
   */
  billing: { calls: 30, windowMs: 60_000 },
  /** ZIP archives and manifests of batches, per account. The sandbox is counted separately. */
  archives: { calls: 60, windowMs: 60_000 },
  /** GET requests, event streams, and downloads, per session, key, or IP address. */
  reads: { calls: 1_200, windowMs: 60_000 },
  /** Image URLs, per IP address and gateway. A page may contain hundreds of them. */
  images: { calls: 30_000, windowMs: 60_000 },
  /** `GET /readyz`, per IP address and gateway. */
  readiness: { calls: 1_200, windowMs: 60_000 },
  /** All other writes, per session, key, or IP address. */
  writes: { calls: 300, windowMs: 60_000 },
} as const;
export type RateClass = keyof typeof rateLimits;

const classByRoute: Partial<Record<RouteName, RateClass | 'none'>> = {
  register: 'auth',
  login: 'auth',
  startPasskeySignIn: 'auth',
  signInWithPasskey: 'auth',
  forgotPassword: 'auth',
  resetPassword: 'auth',
  openInvitation: 'auth',
  acceptInvitation: 'auth',
  verifyEmail: 'auth',
  // Limited like a sign-in, because sending a test email signs in to a mail server.
  adminSendTestMail: 'auth',
  processImage: 'processing',
  estimate: 'processing',
  preview: 'preview',
  fetchImage: 'fetch',
  createLead: 'leads',
  sendContact: 'contact',
  voteHelpArticle: 'votes',
  subscribe: 'newsletter',
  // Limited like a sign-in, because confirmation tokens could be guessed.
  confirmSubscription: 'auth',
  bulkProcess: 'processing',
  createBatch: 'processing',
  retryBatch: 'processing',
  retryJob: 'processing',
  // Counts as a read, because creating the batch is already limited, and all its files may be uploaded at the same
  // time.
  putBatchItem: 'reads',
  v1Account: 'key',
  v1Process: 'processing',
  v1Resize: 'processing',
  v1Estimate: 'processing',
  v1Bulk: 'processing',
  v1CreateBatch: 'processing',
  v1RetryBatch: 'processing',
  v1PutBatchItem: 'reads',
  batchZip: 'archives',
  batchManifest: 'archives',
  batchManifestCsv: 'archives',
  v1BatchZip: 'archives',
  v1BatchManifest: 'archives',
  v1BatchManifestCsv: 'archives',
  v1Image: 'images',
  // MCP tools make requests to the public API, which are counted. Large requests also count as uploads.
  mcp: 'reads',
  stepUp: 'proofs',
  changePassword: 'proofs',
  changeEmail: 'proofs',
  requestExport: 'proofs',
  deleteAccount: 'proofs',
  setUpTwoFactor: 'proofs',
  enableTwoFactor: 'proofs',
  renewRecoveryCodes: 'proofs',
  disableTwoFactor: 'proofs',
  startPasskeyRegistration: 'proofs',
  deletePasskey: 'proofs',
  createCheckoutSession: 'billing',
  createSubscription: 'billing',
  buyPack: 'billing',
  refreshBilling: 'billing',
  previewChange: 'billing',
  changePlan: 'billing',
  undoChange: 'billing',
  cancelSubscription: 'billing',
  refundSubscription: 'billing',
  resumeSubscription: 'billing',
  pauseSubscription: 'billing',
  changeCard: 'billing',
  payInvoice: 'billing',
  downloadInvoice: 'billing',
  // Not limited, because Stripe would retry a rejected event for days. The signature of an event is checked first.
  stripeWebhook: 'none',
  health: 'none',
  readiness: 'readiness',
};

/** Returns the rate limit class of a route. Undefined if the route isn't limited. */
export function rateClassOf(name: RouteName): RateClass | undefined {
  const known = classByRoute[name];
  if (known !== undefined) return known === 'none' ? undefined : known;
  return routes[name].method === 'GET' ? 'reads' : 'writes';
}
