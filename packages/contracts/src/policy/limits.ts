import { imageLimits } from './images/image-limits.ts';

/** Product limits that are the same for all plans. `plans.ts` has the limits of each plan. */
export const limits = {
  ...imageLimits,
  /** Maximum size of an upload through the web app, in bytes. */
  uploadBytes: 50 * 1024 * 1024,
  /**
   * Maximum number of bytes read beyond the limit of an upload: the rest of the current read, a read in progress, the
   * buffers of two streams (64 KiB each in Node.js 24), and the form around the file.
   */
  uploadOverreadBytes: 320 * 1024,
  /**
   * Sandbox of the public API: maximum file size, in bytes; maximum side of a result, in pixels; and retention, in
   * hours.
   */
  sandboxBytes: 10 * 1024 * 1024,
  sandboxSide: 512,
  sandboxHours: 1,
  /** Maximum body size of requests that have no limit of their own, in bytes. */
  bodyBytes: 64 * 1024,
  stripeEventBytes: 1024 * 1024,
  /**
   * Minimum transfer rate of a body, in bytes per second. `bodyPaceSeconds`: period over which the rate is measured, in
   * seconds.
   */
  bodyBytesPerSecond: 8_000,
  bodyPaceSeconds: 30,
  /** Time that a client has to read the response if the request body wasn't read to the end, in seconds. */
  unreadBodySeconds: 2,
  formFields: 20,
  /** Maximum size of a text field of a form, in bytes. Fields with a mask in base64 can be larger. */
  formFieldBytes: 4_096,
  /** Maximum size of a JSON body with a base64 image, in bytes. Larger images must be sent as a form or a raw body. */
  jsonImageBytes: 15 * 1024 * 1024,
  /**
   * Maximum default memory for request bodies on one gateway, in bytes. The default is the memory that the process can
   * use, divided by `bodyMemoryParts`.
   */
  bodyMemoryBytes: 192 * 1024 * 1024,
  bodyMemoryParts: 4,
  /**
   * Shares of a gateway's memory and temporary files for bodies. One account can use `1 / accountBodyShares` of the
   * total, and one IP address `1 / addressBodyShares`.
   */
  accountBodyShares: 4,
  addressBodyShares: 2,
  /** Maximum time that a body waits for memory or temporary files to become free, in seconds. */
  bodyWaitSeconds: 5,
  /** Maximum size of all unfinished uploads from one IP address on one gateway, in bytes. */
  addressUploadBytes: 2 * 1024 * 1024 * 1024,
  /** Duration of the lease on the upload of a batch item's file, in seconds. The receiving gateway renews the lease. */
  itemUploadSeconds: 60,
  /** Maximum number of values in a JSON body of the public API. A batch of 100 images has about 700. */
  jsonValues: 5_000,
  /**
   * Maximum size of an image in the result of an MCP tool, in bytes. `mcpImageSide`: maximum length of its longer side,
   * in pixels. Assistants reject longer sides, and results above 1 MB. A result contains the image in base64 and other
   * data. Larger images are returned as links.
   */
  mcpImageBytes: 500_000,
  mcpImageSide: 8_000,
  /**
   * Maximum number of messages in one request to `/mcp`. Each message can call a tool, but rate limits count the
   * request only once.
   */
  mcpMessages: 5,
  /**
   * Number of failed attempts after which a job fails permanently. `equalFailures`: this limit when the last two
   * attempts failed for the same reason.
   */
  attempts: 3,
  equalFailures: 2,
  /** Number of claims after which a job fails because of external errors, such as unavailable storage. */
  claims: 100,
  /**
   * Number of seconds after the start of an attempt in which canceling the job is free, or `freeCancelPercent` percent
   * of the estimate if that is longer.
   */
  freeCancelSeconds: 5,
  freeCancelPercent: 10,
  /** Maximum processing time of free images and previews per IP address within `freeSecondsMinutes`, in seconds. */
  freeSeconds: 1_800,
  freeSecondsMinutes: 60,
  /**
   * Maximum `Retry-After` of requests that are rejected because too many images are waiting, in seconds. SDKs don't
   * wait longer.
   */
  queueRetrySeconds: 60,
  /**
   * Default time that an upload request waits for its job, in seconds. `maxWaitSeconds`: maximum for `Prefer: wait=N`.
   */
  waitSeconds: 25,
  maxWaitSeconds: 60,
  downloadLinkMinutes: 15,
  /** Lifetimes that the owner of a shared link can choose, in hours. The link always expires with its result. */
  shareHours: [1, 24, 168],
  idempotencyHours: 24,
  idempotencyKeyLength: 255,
  /** Previews: longest side of the patch, in pixels; maximum file size, in bytes; and retention, in minutes. */
  previewSide: 512,
  previewBytes: 2 * 1024 * 1024,
  previewMinutes: 5,
  /**
   * Total time limit for fetching an image from a URL, in seconds. `urlLength`: maximum length of the URL, in
   * characters.
   */
  fetchSeconds: 60,
  urlLength: 2_048,
  /** Number of attempts to fetch an image of a batch before the batch item fails because of an external error. */
  itemFetches: 5,
  /** Batch images that one gateway fetches at once: in total, for Free plans and the sandbox, and for one account. */
  itemFetchSlots: 8,
  freeFetchSlots: 4,
  accountFetchSlots: 2,
  /** Time limits for uploading a result to a target URL, in seconds: in total, and without progress. */
  resultDeliverySeconds: 120,
  resultStallSeconds: 10,
  /** Results that one dispatcher uploads at once: in total, for Free plans and the sandbox, and for one account. */
  resultSlots: 16,
  freeResultSlots: 4,
  accountResultSlots: 2,
  /** Lowest value that the site's settings allow for the minimum password length, in characters. */
  passwordLength: 6,
  /** Minimum age of account owners, in years. */
  minAge: 13,
  /**
   * Maximum number of guesses of a secret per account. Further guesses are blocked for `guessMinutes`, and the count
   * resets after a pause of the same length. Takes effect regardless of the site's settings.
   */
  guesses: 10,
  guessMinutes: 10,
  /** Maximum number of passwords that wait to be hashed or compared on one gateway. Each takes about 35 ms. */
  waitingPasswords: 100,
  /**
   * Maximum number of concurrent reads per gateway: of batches, and of lists of batches, jobs, and events.
   * `waitingReads`: maximum number of queued reads. Each read takes several milliseconds.
   */
  readSlots: 8,
  waitingReads: 400,
  /** Lifetime of the device cookie, in days. Browsers don't allow more. */
  deviceDays: 400,
  /** Time limit for receiving the headers of a request, in seconds. `headerBytes`: their maximum size, in bytes. */
  headerSeconds: 60,
  headerBytes: 16 * 1024,
  /** Maximum number of requests on one connection that wait for earlier responses (pipelining). */
  pipelinedRequests: 32,
  /**
   * Maximum number of attempts with keys and links that don't exist, per minute. Counted per IP prefix (/24 for IPv4,
   * /56 for IPv6), type of secret, and gateway. Above the limit, only secrets that were valid in the last
   * `knownSecretDays` days are looked up. All other attempts are rejected after `unknownSecretDelayMs` milliseconds.
   */
  unknownSecrets: 120,
  knownSecretDays: 7,
  unknownSecretDelayMs: 1_000,
  /**
   * Seconds for which a nonexistent secret isn't looked up again. `keptSecrets`: maximum number of known secrets, and
   * of unknown secrets, that a gateway keeps in memory.
   */
  unknownSecretSeconds: 5,
  keptSecrets: 20_000,
  /**
   * Maximum number of requests per second that don't prove an account or are rejected, per IP prefix and gateway.
   * `networkBurst`: number of these requests that can start at once, at most half of them from one address. Further
   * requests wait in a queue. It holds as many requests as can start within `networkWaitMs` milliseconds.
   */
  networkRequests: 200,
  networkBurst: 50,
  networkWaitMs: 2_000,
  /**
   * Maximum share of a gateway's database connections for all callers without a proven account together, as a
   * percentage. `prefixConnectionsPercent`: maximum share for one IP prefix.
   */
  unprovenConnectionsPercent: 50,
  prefixConnectionsPercent: 20,
  /**
   * Maximum number of open event streams per account and per IP address on one gateway. `streamRetrySeconds`:
   * `Retry-After` of rejected streams, in seconds.
   */
  accountStreams: 10,
  addressStreams: 50,
  streamRetrySeconds: 30,
  /** Maximum lengths of an email address (RFC 5321), a password, and a name, in characters. */
  emailLength: 254,
  maxPasswordLength: 1_000,
  nameLength: 100,
  /** Maximum length, in characters, of the path to open after signing up (`nextLength`) and of a file name. */
  nextLength: 500,
  filenameLength: 255,
  resetLinkMinutes: 60,
  confirmLinkHours: 24,
  /** `expiredInvitationDays`: days for which an expired invitation can be resent. */
  invitationDays: 7,
  expiredInvitationDays: 30,
  /**
   * Maximum number of emails of one kind per account within `mailsOfKindMinutes`. `linkMailSeconds`: minimum time
   * between two emails with an action link, in seconds.
   */
  mailsOfKind: 5,
  mailsOfKindMinutes: 60,
  linkMailSeconds: 60,
  /**
   * Maximum number of emails to a mailbox with links to confirm a new email address. The count resets after
   * `newAddressMinutes` without such an email.
   */
  newAddressMails: 3,
  newAddressMinutes: 60,
  /**
   * Maximum number of emails to unconfirmed addresses that are aliases of one mailbox, such as `name+1@`. The count
   * resets after `aliasMailsHours` without such an email. Limited because anyone can sign up with any number of
   * aliases.
   */
  aliasMails: 10,
  aliasMailsHours: 1,
  /** Days between the request to delete an account and its deletion. */
  deletionDays: 7,
  exportDays: 7,
  /** Hours for which requests return the finished export instead of creating another. */
  exportPauseHours: 24,
  recoveryCodes: 10,
  /** Minutes after entering the password or a code during which critical changes need no further proof. */
  stepUpMinutes: 10,
  /**
   * Duration of an administrator's view of the web app as a user, in minutes. `viewDays`: days for which the user can
   * see that the view took place.
   */
  viewMinutes: 30,
  viewDays: 90,
  /** Maximum number of sessions and of known devices per account. The list of sessions isn't paginated. */
  sessions: 100,
  devices: 100,
  passkeys: 20,
  passkeyChallengeMinutes: 5,
  /** Minutes during which setting up two-factor authentication again returns the same secret. */
  twoFactorSetupMinutes: 10,
  /** Maximum number of unexpired API keys per account. */
  apiKeys: 20,
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
  originLength: 300,
  apiKeyUsageDays: 30,
  apiKeyUnusedDays: 60,
  /**
   * Maximum number of webhook endpoints per account. `webhookDescriptionLength`: maximum length of their descriptions,
   * in characters.
   */
  webhooks: 20,
  webhookDescriptionLength: 200,
  /** Hours for which a webhook's rotated secret is still used for signing: default and maximum. */
  webhookOverlapHours: 24,
  webhookMaxOverlapHours: 168,
  /**
   * Time limit for a delivery attempt, in seconds. `webhookAnswerBytes`: maximum size of the response that is stored,
   * in bytes.
   */
  webhookSeconds: 15,
  webhookAnswerBytes: 4_096,
  /** Maximum number of attempts in a delivery's log. Enough for a full retry schedule and some resends. */
  loggedAttempts: 20,
  /**
   * Maximum number of attempts in a delivery's log that keep their response. Limits storage, because endpoints can
   * respond with anything up to `webhookAnswerBytes`.
   */
  loggedAnswers: 2,
  /**
   * Concurrency limits of webhook deliveries. `endpointAttempts`: attempts per endpoint. `webhookSlots`: endpoints that
   * one dispatcher serves. `slowWebhookSlots`: slow endpoints among them. `accountWebhookSlots`: endpoints of one
   * account while other accounts are waiting.
   */
  endpointAttempts: 4,
  webhookSlots: 64,
  slowWebhookSlots: 32,
  accountWebhookSlots: 16,
  /** Maximum concurrent deliveries by one dispatcher to the webhook URLs of an account's jobs outside batches. */
  jobWebhookSlots: 8,
  /** Retention of events and their deliveries, in days. */
  eventDays: 30,
  /** Maximum number of files in a batch on any plan. */
  batchItems: 100,
  /** Hours within which the files of a batch must be uploaded. */
  batchHours: 24,
  /** Minimum duration of a batch for its owner to be emailed when it ends, in minutes. */
  longBatchMinutes: 10,
  /** Maximum size of a request that creates a batch, in bytes. The maximum lengths of its strings are in characters. */
  batchBodyBytes: 1024 * 1024,
  clientIdLength: 100,
  relativePathLength: 1_024,
  namePatternLength: 200,
  grantUnits: 1_000_000,
  /** The gateway isn't ready while more images than this wait for inspection. */
  inspectionBacklog: 1_000,
  /**
   * A service isn't ready if it uses more than this share of its file descriptor limit, or if less disk space than
   * `freeDiskBytes` is free.
   */
  descriptorShare: 0.8,
  freeDiskBytes: 256 * 1024 * 1024,
  searchLength: 100,
  leadMessageLength: 5_000,
  pageRows: 50,
  maxPageRows: 100,
  exportRows: 100_000,
} as const;
