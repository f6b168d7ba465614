/** Product limits that hold for everyone; limits that depend on the plan are in `plans.ts`. */
export const limits = {
  /** Largest upload through the web app, bytes. */
  uploadBytes: 50 * 1024 * 1024,
  /**
   * How far past the limit an upload may be read before it is cut off, bytes: the rest of the read that crossed it, one
   * that was under way (64 KiB each), and the form around the file.
   */
  uploadOverreadBytes: 160 * 1024,
  /** Largest input, pixels. */
  inputPixels: 100_000_000,
  /** Longest side of an input image, pixels. */
  inputSide: 32_767,
  /** Output never exceeds this, whatever the plan, pixels. */
  outputPixels: 512_000_000,
  /** Color channels, alpha included. */
  channels: 5,
  /** Frames or pages in one file. */
  frames: 1_000,
  /** Pixels of all frames of an animation together: read, and made. */
  animationPixels: 50_000_000,
  animationOutputPixels: 100_000_000,
  /** Longest side of an output, pixels; the format may allow less. */
  outputSide: 262_144,
  /** Smallest and largest `targetBytes`. */
  minTargetBytes: 1_024,
  maxTargetBytes: 1_000_000_000,
  /** In the sandbox of the public API: bytes of a file; sides of a result, pixels; hours that it is kept. */
  sandboxBytes: 10 * 1024 * 1024,
  sandboxSide: 512,
  sandboxHours: 1,
  /** Largest JSON body that carries an image as base64, bytes; larger images come as a form or as the body itself. */
  jsonImageBytes: 15 * 1024 * 1024,
  /** Values that a JSON body of the public API has, about: a batch of a hundred images needs some 700. */
  jsonValues: 5_000,
  /** Wall time of one inspection, milliseconds. */
  inspectionMs: 2_000,
  /** Resident memory of one child process that decodes or upscales pixels, bytes. */
  childMemoryBytes: 1_500 * 1024 * 1024,
  /** Resident memory of the inspecting child, bytes. */
  inspectionMemoryBytes: 400 * 1024 * 1024,
  /** Shortest time cap of a job, milliseconds; longer plans get `wallFactor` times their estimate. */
  minJobMs: 120_000,
  wallFactor: 4,
  /** Attempts before a job fails for good. */
  attempts: 3,
  /** Claims before a job fails that could never be finished without an error of its own (the storage is away, say). */
  claims: 100,
  /** Thumbnail's longer side, pixels. */
  thumbnailSide: 320,
  /** Wait for a job inside the uploading call, seconds: default and largest `Prefer: wait=N`. */
  waitSeconds: 25,
  maxWaitSeconds: 60,
  /** Life of a signed download link, minutes. */
  downloadLinkMinutes: 15,
  /** Life of an idempotency key, hours, and its longest spelling. */
  idempotencyHours: 24,
  idempotencyKeyLength: 255,
  /** A preview: sides of its patch, pixels; bytes of the file; minutes that its files are kept. */
  previewSide: 512,
  previewBytes: 2 * 1024 * 1024,
  previewMinutes: 5,
  /** Seconds for fetching an image from a URL, all in all, and the longest URL, characters. */
  fetchSeconds: 60,
  urlLength: 2_048,
  /** How often an image of a batch is fetched before its item fails because of an external error. */
  itemFetches: 5,
  /** Shortest password that is ever accepted, characters; the site's policy may ask for more. */
  passwordLength: 6,
  /** So many guesses of a secret of one account without a pause of so many minutes, whatever the site's policy says. */
  guesses: 10,
  guessMinutes: 10,
  /** Life of the cookie that says which device this is, days: the longest that browsers grant. */
  deviceDays: 400,
  /** Longest email address (RFC 5321) and longest password accepted, characters. */
  emailLength: 254,
  maxPasswordLength: 1_000,
  nameLength: 100,
  filenameLength: 255,
  /** Life of a link that resets a password, minutes, and of one that confirms an address, hours. */
  resetLinkMinutes: 60,
  confirmLinkHours: 24,
  /** Mails of one kind about one account within so many minutes, and seconds between two with a link that does something. */
  mailsOfKind: 5,
  mailsOfKindMinutes: 60,
  linkMailSeconds: 60,
  /** Links that confirm a new address, sent to one address: so many without a pause of so many minutes. */
  newAddressMails: 3,
  newAddressMinutes: 60,
  /** Days between the request to delete an account and its end. */
  deletionDays: 7,
  /** Life of an export of one's data, days. */
  exportDays: 7,
  /** Hours for which a finished export is the answer to who asks for another. */
  exportPauseHours: 24,
  recoveryCodes: 10,
  /** For so long setting two-factor sign-in up again shows the same secret, minutes. */
  twoFactorSetupMinutes: 10,
  /** API keys of one account that have not expired. */
  apiKeys: 20,
  /** Hours for which a replaced API key goes on working: default and longest. */
  apiKeyOverlapHours: 24,
  apiKeyMaxOverlapHours: 168,
  /** Largest limits that a key may be given: units a month, calls a minute, addresses or networks. */
  apiKeyCap: 1_000_000,
  apiKeyCallsPerMinute: 10_000,
  apiKeyAddresses: 50,
  /** Days that the usage of a key is shown for. */
  apiKeyUsageDays: 30,
  /** Days without a call after which a key is called unused. */
  apiKeyUnusedDays: 60,
  /** Webhook endpoints of an account; longest description, characters. */
  webhooks: 20,
  webhookDescriptionLength: 200,
  /** Hours for which a replaced secret of a webhook goes on signing: default and longest. */
  webhookOverlapHours: 24,
  webhookMaxOverlapHours: 168,
  /** Seconds for one attempt of a delivery, all in all, and how much of an answer is kept, bytes. */
  webhookSeconds: 15,
  webhookAnswerBytes: 4_096,
  /** Days that events and their deliveries are kept. */
  eventDays: 30,
  /** Files of one batch, whatever the plan. */
  batchItems: 100,
  /** For so many hours the files of a batch may come. */
  batchHours: 24,
  /** Largest description of a batch, bytes, and its longest texts, characters. */
  batchBodyBytes: 1024 * 1024,
  clientIdLength: 100,
  relativePathLength: 1_024,
  namePatternLength: 200,
  /** Most units of one grant. */
  grantUnits: 1_000_000,
  /** Rows of one page of a list: default and largest. */
  pageRows: 50,
  maxPageRows: 100,
} as const;
