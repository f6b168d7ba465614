import { imageLimits } from './images/image-limits.ts';

/** Product limits that are equal for all plans. `plans.ts` has the limits of each plan. */
export const limits = {
  ...imageLimits,
  /** Largest upload through the web app, bytes. */
  uploadBytes: 50 * 1024 * 1024,
  /**
   * Maximum number of bytes read beyond the limit of an upload: the rest of the current read, a read in progress, the
   * buffers of two streams (64 KiB each in Node.js 24), and the form around the file.
   */
  uploadOverreadBytes: 320 * 1024,
  /** Sandbox of the public API: largest file, bytes; longest side of a result, pixels; retention, hours. */
  sandboxBytes: 10 * 1024 * 1024,
  sandboxSide: 512,
  sandboxHours: 1,
  /** Largest body of other requests, bytes. */
  bodyBytes: 64 * 1024,
  /** Largest webhook request of Stripe, bytes. */
  stripeEventBytes: 1024 * 1024,
  /** Minimum transfer rate of a body, bytes per second, and the seconds over which it is measured. */
  bodyBytesPerSecond: 8_000,
  bodyPaceSeconds: 30,
  /** Time for a client to read the response to a request whose body wasn't read to the end, seconds. */
  unreadBodySeconds: 2,
  /** Text fields of a form. */
  formFields: 20,
  /** Largest JSON body with a base64 image, bytes. Larger images are sent as a form or a raw body. */
  jsonImageBytes: 15 * 1024 * 1024,
  /**
   * Default memory of one gateway for bodies: maximum in bytes, and the divisor of the memory that the process can use.
   */
  bodyMemoryBytes: 192 * 1024 * 1024,
  bodyMemoryParts: 4,
  /**
   * Divisors of a gateway's memory or temporary files for bodies: one account gets `1 / accountBodyShares` of the
   * total, one IP address `1 / addressBodyShares`.
   */
  accountBodyShares: 4,
  addressBodyShares: 2,
  /** Maximum wait for other bodies to free memory or temporary files, seconds. */
  bodyWaitSeconds: 5,
  /** Unfinished uploads from one IP address on one gateway, bytes. */
  addressUploadBytes: 2 * 1024 * 1024 * 1024,
  /** Lease on the upload of a batch item's file, seconds. The receiving gateway renews it. */
  itemUploadSeconds: 60,
  /** Largest number of values in a JSON body of the public API. A batch of 100 images has about 700. */
  jsonValues: 5_000,
  /**
   * Largest image in the result of an MCP tool: bytes, and pixels of the longer side. Assistants reject results above 1
   * MB, the size of such an image in base64 with the rest of the result, and images with longer sides. Larger results
   * are returned as links.
   */
  mcpImageBytes: 500_000,
  mcpImageSide: 8_000,
  /** Maximum number of messages in one request to `/mcp`. Each message can call a tool, but the request counts once. */
  mcpMessages: 5,
  /** Failed attempts after which a job fails permanently: in general, and if the last two have the same cause. */
  attempts: 3,
  equalFailures: 2,
  /** Claims after which a job fails because of external errors, such as unavailable storage. */
  claims: 100,
  /**
   * Time of an attempt in which canceling a job is free: seconds, or a percentage of the estimate if that is longer.
   */
  freeCancelSeconds: 5,
  freeCancelPercent: 10,
  /** Processing seconds of free images and previews per IP address, and the window in minutes. */
  freeSeconds: 1_800,
  freeSecondsMinutes: 60,
  /** Longest delay after which a client can retry when too many images are waiting, seconds. SDKs don't wait longer. */
  queueRetrySeconds: 60,
  /** Time that an upload request waits for its job, seconds: default, and maximum of `Prefer: wait=N`. */
  waitSeconds: 25,
  maxWaitSeconds: 60,
  /** Lifetime of a signed download link, minutes. */
  downloadLinkMinutes: 15,
  /** Lifetimes of a shared link that its owner can choose, hours. The link always ends with its result. */
  shareHours: [1, 24, 168],
  /** Lifetime of an idempotency key, hours, and its maximum length, characters. */
  idempotencyHours: 24,
  idempotencyKeyLength: 255,
  /** Previews: longest side of the patch, pixels; largest file, bytes; retention, minutes. */
  previewSide: 512,
  previewBytes: 2 * 1024 * 1024,
  previewMinutes: 5,
  /** Total time to fetch an image from a URL, seconds, and longest URL, characters. */
  fetchSeconds: 60,
  urlLength: 2_048,
  /** Attempts to fetch an image of a batch before its item fails because of an external error. */
  itemFetches: 5,
  /**
   * Images of batches fetched at once: by one gateway in total, for Free plans and the sandbox, and for one account.
   */
  itemFetchSlots: 8,
  freeFetchSlots: 4,
  accountFetchSlots: 2,
  /** Time limits for uploading a result to a target URL, seconds: in total, and without progress. */
  resultDeliverySeconds: 120,
  resultStallSeconds: 10,
  /** Results uploaded at once: by one dispatcher in total, for Free plans and the sandbox, and for one account. */
  resultSlots: 16,
  freeResultSlots: 4,
  accountResultSlots: 2,
  /** Lowest minimum length of passwords that the site's settings allow, characters. */
  passwordLength: 6,
  /** Minimum age of account owners, years. */
  minAge: 13,
  /**
   * Maximum number of guesses of a secret per account, and minutes of the block that follows, which are also the pause
   * that resets the count. Applies regardless of the site's settings.
   */
  guesses: 10,
  guessMinutes: 10,
  /** Passwords that can wait to be hashed or compared on one gateway. Each takes about 35 ms. */
  waitingPasswords: 100,
  /**
   * Concurrent and waiting reads of batches and of lists of batches, jobs, and events on one gateway. Each takes
   * several milliseconds.
   */
  readSlots: 8,
  waitingReads: 400,
  /** Lifetime of the device cookie, days. Browsers don't allow more. */
  deviceDays: 400,
  /** Time limit for receiving the headers of a request, seconds, and their maximum size, bytes. */
  headerSeconds: 60,
  headerBytes: 16 * 1024,
  /** Requests on one connection that can wait for an earlier response (pipelining). */
  pipelinedRequests: 32,
  /**
   * Attempts with keys and links that don't exist, per minute, IP prefix (/24 of IPv4, /56 of IPv6), type of secret,
   * and gateway. Above the limit, only secrets that were valid in the last `knownSecretDays` days are looked up, and
   * other attempts are rejected after `unknownSecretDelayMs` milliseconds.
   */
  unknownSecrets: 120,
  knownSecretDays: 7,
  unknownSecretDelayMs: 1_000,
  /**
   * Seconds for which a nonexistent secret isn't looked up again, and maximum number of known and of unknown secrets
   * that a gateway keeps.
   */
  unknownSecretSeconds: 5,
  keptSecrets: 20_000,
  /**
   * Requests of an IP prefix that don't prove an account or are rejected: number per second and gateway, and number
   * that can start at once, with at most half of them from one address. Further requests wait for their turn. The queue
   * holds as many as a prefix can start in `networkWaitMs` milliseconds.
   */
  networkRequests: 200,
  networkBurst: 50,
  networkWaitMs: 2_000,
  /**
   * Maximum share of a gateway's database connections: for all callers without a proven account together, and for one
   * IP prefix.
   */
  unprovenConnectionsPercent: 50,
  prefixConnectionsPercent: 20,
  /**
   * Maximum number of open event streams per account and per IP address on one gateway, and the `Retry-After` of
   * rejected ones, seconds.
   */
  accountStreams: 10,
  addressStreams: 50,
  streamRetrySeconds: 30,
  /** Maximum length of an email address (RFC 5321), a password, and a name, characters. */
  emailLength: 254,
  maxPasswordLength: 1_000,
  nameLength: 100,
  /** Maximum length of the path to open after signing up, and of a file name, characters. */
  nextLength: 500,
  filenameLength: 255,
  /** Life of a password reset link, minutes, and of an email confirmation link, hours. */
  resetLinkMinutes: 60,
  confirmLinkHours: 24,
  /** Life of an invitation link, and time for which an expired invitation can be resent, days. */
  invitationDays: 7,
  expiredInvitationDays: 30,
  /**
   * Maximum number of emails of one kind per account in this many minutes, and minimum time between two emails with an
   * action link, seconds.
   */
  mailsOfKind: 5,
  mailsOfKindMinutes: 60,
  linkMailSeconds: 60,
  /** Maximum number of links to confirm a new email address per mailbox without a pause of this many minutes. */
  newAddressMails: 3,
  newAddressMinutes: 60,
  /**
   * Maximum number of emails to unconfirmed addresses that are aliases of one mailbox, such as `name+1@`, without a
   * pause of this many hours. Anyone can sign up with any number of aliases.
   */
  aliasMails: 10,
  aliasMailsHours: 1,
  /** Days between the request to delete an account and its deletion. */
  deletionDays: 7,
  /** Life of a data export, days. */
  exportDays: 7,
  /** Hours for which requests return the finished export instead of creating another. */
  exportPauseHours: 24,
  recoveryCodes: 10,
  /** Minutes after entering the password or a code during which critical changes need no further proof. */
  stepUpMinutes: 10,
  /**
   * Duration of an administrator's view of the web app as a user, minutes, and days for which that user can see that it
   * happened.
   */
  viewMinutes: 30,
  viewDays: 90,
  /** Maximum number of sessions of an account, whose list isn't paginated, and of devices that it has signed in on. */
  sessions: 100,
  devices: 100,
  /** Maximum number of passkeys per account, and life of a passkey challenge, minutes. */
  passkeys: 20,
  passkeyChallengeMinutes: 5,
  /** Minutes during which setting up two-factor authentication again returns the same secret. */
  twoFactorSetupMinutes: 10,
  /** Maximum number of unexpired API keys per account. */
  apiKeys: 20,
  /** Service keys of the installation. */
  serviceKeys: 20,
  /** Maximum number of sandbox keys of an account whose plan lacks the API. Rotated and expired keys don't count. */
  sandboxKeys: 1,
  /** Hours for which a rotated API key stays valid: default and maximum. */
  apiKeyOverlapHours: 24,
  apiKeyMaxOverlapHours: 168,
  /**
   * Upper bounds for the limits of an API key: units per month, calls per minute, IP addresses or networks, and allowed
   * origins.
   */
  apiKeyCap: 1_000_000,
  apiKeyCallsPerMinute: 10_000,
  apiKeyAddresses: 50,
  apiKeyOrigins: 20,
  /** Maximum length of a website's origin, characters. */
  originLength: 300,
  /** Days of usage returned for an API key. */
  apiKeyUsageDays: 30,
  /** Days without a call after which an API key counts as unused. */
  apiKeyUnusedDays: 60,
  /** Maximum number of webhook endpoints per account, and maximum length of their descriptions, characters. */
  webhooks: 20,
  webhookDescriptionLength: 200,
  /** Hours for which a webhook's rotated secret is still used for signing: default and maximum. */
  webhookOverlapHours: 24,
  webhookMaxOverlapHours: 168,
  /** Total time of a delivery attempt, seconds, and maximum stored size of the response, bytes. */
  webhookSeconds: 15,
  webhookAnswerBytes: 4_096,
  /** Maximum number of attempts in a delivery's log: a full retry schedule and some resends. */
  loggedAttempts: 20,
  /**
   * Maximum number of attempts in a delivery's log that keep their response, because endpoints choose what they send,
   * up to the size above.
   */
  loggedAnswers: 2,
  /**
   * Concurrency limits: attempts per endpoint, and endpoints that one dispatcher serves: in total, slow ones, and per
   * account while others wait.
   */
  endpointAttempts: 4,
  webhookSlots: 64,
  slowWebhookSlots: 32,
  accountWebhookSlots: 16,
  /** Concurrency limit of one dispatcher for the webhook URLs of one account's single jobs. */
  jobWebhookSlots: 8,
  /** Retention of events and their deliveries, days. */
  eventDays: 30,
  /** Maximum number of files in a batch on any plan. */
  batchItems: 100,
  /** Hours within which the files of a batch must be uploaded. */
  batchHours: 24,
  /** Duration above which a batch can send an email when it ends, minutes. */
  longBatchMinutes: 10,
  /** Maximum size of a request that creates a batch, bytes, and maximum lengths of its strings, characters. */
  batchBodyBytes: 1024 * 1024,
  clientIdLength: 100,
  relativePathLength: 1_024,
  namePatternLength: 200,
  /** Most units of one grant. */
  grantUnits: 1_000_000,
  /** The gateway isn't ready while more images than this wait for inspection. */
  inspectionBacklog: 1_000,
  /** A service isn't ready above this share of its file descriptor limit, or below this free disk space. */
  descriptorShare: 0.8,
  freeDiskBytes: 256 * 1024 * 1024,
  /** Maximum length of a search term, characters. */
  searchLength: 100,
  /** Maximum length of an inquiry's message, characters. */
  leadMessageLength: 5_000,
  /** Records per page of a list: default and maximum. */
  pageRows: 50,
  maxPageRows: 100,
  /** Rows of one export of an administrator. */
  exportRows: 100_000,
} as const;
