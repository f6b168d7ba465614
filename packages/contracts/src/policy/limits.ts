import { imageLimits } from './images/image-limits.ts';

/** Product limits that are equal for all plans. `plans.ts` has the limits of each plan. */
export const limits = {
  ...imageLimits,
  /** Largest upload through the web app, bytes. */
  uploadBytes: 50 * 1024 * 1024,
  /**
   * Bytes of an upload that may be read beyond its limit: the rest of the current read, a read in progress, the buffers of two
   * streams (64 KiB each in Node.js 24), and the form around the file.
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
  /** Slowest pace of a body, bytes per second, and the seconds over which it is measured. */
  bodyBytesPerSecond: 8_000,
  bodyPaceSeconds: 30,
  /** Time to read the response to a request whose body isn't read to its end, seconds. */
  unreadBodySeconds: 2,
  /** Text fields of a form. */
  formFields: 20,
  /** Largest JSON body with a base64 image, bytes. Larger images are sent as a form or a raw body. */
  jsonImageBytes: 15 * 1024 * 1024,
  /** Memory of one gateway for bodies, bytes: at most so many, and this part of what the process may use. */
  bodyMemoryBytes: 192 * 1024 * 1024,
  bodyMemoryParts: 4,
  /** An account gets one of so many parts of a gateway's memory or temporary files for bodies, an IP address one of so many. */
  accountBodyShares: 4,
  addressBodyShares: 2,
  /** Longest wait until bodies of others have left memory or temporary files, seconds. */
  bodyWaitSeconds: 5,
  /** Unfinished uploads from one IP address on one gateway, bytes. */
  addressUploadBytes: 2 * 1024 * 1024 * 1024,
  /** Longest time without a sign that a gateway still receives the file of a batch item, seconds. */
  itemUploadSeconds: 60,
  /** Largest number of values in a JSON body of the public API. A batch of 100 images has about 700. */
  jsonValues: 5_000,
  /**
   * Largest image in the result of an MCP tool, bytes and pixels of its longer side. Assistants reject results above 1 MB,
   * which is this as base64 with the rest of the result, and images with longer sides. Larger results are links.
   */
  mcpImageBytes: 500_000,
  mcpImageSide: 8_000,
  /** Messages in one request to `/mcp`. Each may call a tool, and the request counts once. */
  mcpMessages: 5,
  /** Attempts before a job fails permanently, and attempts that may fail in the same way. */
  attempts: 3,
  equalFailures: 2,
  /** Claims before a job fails because of external errors, such as unavailable storage. */
  claims: 100,
  /** Canceling a job is free for so many seconds of an attempt, or this share of its estimate if that is longer. */
  freeCancelSeconds: 5,
  freeCancelPercent: 10,
  /** Processing seconds of free images and previews from one IP address, and the minutes in which they count. */
  freeSeconds: 1_800,
  freeSecondsMinutes: 60,
  /** Longest time after which a client may try again when too many images wait, seconds. SDKs wait no longer. */
  queueRetrySeconds: 60,
  /** Waiting time for a job in the upload request, seconds: default and largest `Prefer: wait=N`. */
  waitSeconds: 25,
  maxWaitSeconds: 60,
  /** Life of a signed download link, minutes. */
  downloadLinkMinutes: 15,
  /** Lives of a shared link that its owner can choose, hours. The link ends with its result in any case. */
  shareHours: [1, 24, 168],
  /** Life of an idempotency key, hours, and its longest text, characters. */
  idempotencyHours: 24,
  idempotencyKeyLength: 255,
  /** Previews: longest side of the patch, pixels; largest file, bytes; retention, minutes. */
  previewSide: 512,
  previewBytes: 2 * 1024 * 1024,
  previewMinutes: 5,
  /** Total time to fetch an image from a URL, seconds, and longest URL, characters. */
  fetchSeconds: 60,
  urlLength: 2_048,
  /** How often an image of a batch is fetched before its item fails because of an external error. */
  itemFetches: 5,
  /** Images of batches fetched at once: by one gateway, of these for free plans and the sandbox, and for one account. */
  itemFetchSlots: 8,
  freeFetchSlots: 4,
  accountFetchSlots: 2,
  /** Time to upload a result to a target URL, seconds: in total, and without progress. */
  resultDeliverySeconds: 120,
  resultStallSeconds: 10,
  /** Results uploaded at once: by one dispatcher, of these for free plans and the sandbox, and for one account. */
  resultSlots: 16,
  freeResultSlots: 4,
  accountResultSlots: 2,
  /** Shortest password that the site's settings can allow, characters. */
  passwordLength: 6,
  /** Age from which a person may have an account, years. */
  minAge: 13,
  /** Guesses of a secret per account without a pause of this many minutes, regardless of the site's settings. */
  guesses: 10,
  guessMinutes: 10,
  /** Passwords that wait for being hashed or compared on one gateway. Each takes about 35 ms. */
  waitingPasswords: 100,
  /** Lists of batches, jobs, and events that one gateway reads at once, and those that wait. Each takes several milliseconds. */
  readSlots: 8,
  waitingReads: 400,
  /** Life of the device cookie, days. Browsers allow no more. */
  deviceDays: 400,
  /** Time for a client to send the headers of a request, seconds, and their size, bytes. */
  headerSeconds: 60,
  headerBytes: 16 * 1024,
  /** Requests of one connection that may wait for the response to an earlier one. */
  pipelinedRequests: 32,
  /**
   * Keys and links that don't exist, per minute, IP prefix (/24 of IPv4, /56 of IPv6), sort, and gateway. Above,
   * only those that were right in the last days are looked up, and the response takes so many milliseconds.
   */
  unknownSecrets: 120,
  knownSecretDays: 7,
  unknownSecretDelayMs: 1_000,
  /** Time for which one that doesn't exist isn't looked up again, seconds, and how many a gateway keeps of either. */
  unknownSecretSeconds: 5,
  keptSecrets: 20_000,
  /**
   * Requests of an IP prefix that prove no account or are rejected, per second and gateway, and how many of them may begin at once,
   * half as many from one address. Others wait for their turns: as many as a prefix begins in so many milliseconds.
   */
  networkRequests: 200,
  networkBurst: 50,
  networkWaitMs: 2_000,
  /** Share of a gateway's database connections for all callers without a proven account together, and for one prefix. */
  unprovenConnectionsPercent: 50,
  prefixConnectionsPercent: 20,
  /** Open event streams per account and per IP address on one gateway, and the pause before another try, seconds. */
  accountStreams: 10,
  addressStreams: 50,
  streamRetrySeconds: 30,
  /** Longest email address (RFC 5321) and longest password accepted, characters. */
  emailLength: 254,
  maxPasswordLength: 1_000,
  nameLength: 100,
  /** Characters of the page to open after signing up. */
  nextLength: 500,
  filenameLength: 255,
  /** Life of a link that resets a password, minutes, and of one that confirms an email address, hours. */
  resetLinkMinutes: 60,
  confirmLinkHours: 24,
  /** Life of the link of an invitation, and time for which an expired one can be sent again, days. */
  invitationDays: 7,
  expiredInvitationDays: 30,
  /** Emails of one kind per account within this many minutes, and seconds between two emails with an action link. */
  mailsOfKind: 5,
  mailsOfKindMinutes: 60,
  linkMailSeconds: 60,
  /** Links to confirm a new email address per recipient without a pause of this many minutes. */
  newAddressMails: 3,
  newAddressMinutes: 60,
  /**
   * Emails to unconfirmed addresses that are aliases of one mailbox, such as `name+1@`, without a pause of this many hours.
   * Anyone can sign up with any number of them.
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
  /** Minutes for which critical changes need no further proof after the password or a code. */
  stepUpMinutes: 10,
  /** Minutes for which an administrator sees the web app as a user, and days for which that user can see that they did. */
  viewMinutes: 30,
  viewDays: 90,
  /** Sessions of an account, whose list is read as a whole, and devices that it has signed in on. */
  sessions: 100,
  devices: 100,
  /** Passkeys of an account, and minutes for which the challenge of a passkey is valid. */
  passkeys: 20,
  passkeyChallengeMinutes: 5,
  /** Minutes for which setting up two-factor sign-in again returns the same secret. */
  twoFactorSetupMinutes: 10,
  /** API keys of one account that have not expired. */
  apiKeys: 20,
  /** Service keys of the installation. */
  serviceKeys: 20,
  /** Sandbox keys of an account whose plan lacks the API. Rotated keys and expired keys do not count. */
  sandboxKeys: 1,
  /** Hours for which a rotated API key stays valid: default and longest. */
  apiKeyOverlapHours: 24,
  apiKeyMaxOverlapHours: 168,
  /** Largest limits of an API key: units per month, calls per minute, IP addresses or networks, allowed origins. */
  apiKeyCap: 1_000_000,
  apiKeyCallsPerMinute: 10_000,
  apiKeyAddresses: 50,
  apiKeyOrigins: 20,
  /** Longest origin of a website, characters. */
  originLength: 300,
  /** Days of usage returned for an API key. */
  apiKeyUsageDays: 30,
  /** Days without a call after which an API key counts as unused. */
  apiKeyUnusedDays: 60,
  /** Webhook endpoints of an account, and longest description, characters. */
  webhooks: 20,
  webhookDescriptionLength: 200,
  /** Hours for which a rotated secret of a webhook is still used for signing: default and longest. */
  webhookOverlapHours: 24,
  webhookMaxOverlapHours: 168,
  /** Total time of a delivery attempt, seconds, and stored part of the response, bytes. */
  webhookSeconds: 15,
  webhookAnswerBytes: 4_096,
  /** Attempts of a delivery that its log keeps: those of one schedule, and of some repetitions. */
  loggedAttempts: 20,
  /** Attempts of a delivery whose responses its log keeps: endpoints choose what they send, up to the size above. */
  loggedAnswers: 2,
  /** Attempts at once: of one endpoint, and endpoints that one dispatcher serves: in all, slow ones, of one account. */
  endpointAttempts: 4,
  webhookSlots: 64,
  slowWebhookSlots: 32,
  accountWebhookSlots: 16,
  /** The same for the webhook URLs of single jobs of one account. */
  jobWebhookSlots: 8,
  /** Days that events and their deliveries are kept. */
  eventDays: 30,
  /** Files of a batch on any plan. */
  batchItems: 100,
  /** Hours in which the files of a batch can be uploaded. */
  batchHours: 24,
  /** A batch that takes longer, minutes, can end with an email. */
  longBatchMinutes: 10,
  /** Largest request that creates a batch, bytes, and its longest texts, characters. */
  batchBodyBytes: 1024 * 1024,
  clientIdLength: 100,
  relativePathLength: 1_024,
  namePatternLength: 200,
  /** Most units of one grant. */
  grantUnits: 1_000_000,
  /** The gateway isn't ready with more images than this waiting for inspection. */
  inspectionBacklog: 1_000,
  /** A service isn't ready above this share of the file descriptors that it may open, and below this free space on disk. */
  descriptorShare: 0.8,
  freeDiskBytes: 256 * 1024 * 1024,
  /** Longest text to search the file names of jobs for, characters. */
  searchLength: 100,
  /** Longest message of an inquiry, characters. */
  leadMessageLength: 5_000,
  /** Rows of one page of a list: default and largest. */
  pageRows: 50,
  maxPageRows: 100,
  /** Rows of one export of an administrator. */
  exportRows: 100_000,
} as const;
