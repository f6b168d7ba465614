/** Rules for image URLs, which websites embed as image sources. */
export const imageUrlRules = {
  /** Path prefix of image URLs, followed by `/{signature}/{processing}/{source}`. */
  path: '/v1/img',
  /**
   * Maximum number of hosts that an account can allow. `hostLength`: maximum length of a host name, in characters (RFC
   * 1035).
   */
  hosts: 50,
  hostLength: 253,
  optionsLength: 300,
  /**
   * Default number of hours for which URLs signed with a rotated secret still work. `maxOverlapHours`: maximum number
   * of hours.
   */
  overlapHours: 24,
  maxOverlapHours: 168,
  /** Seconds for which a result is served without checking its source again. */
  freshSeconds: 3_600,
  /** Seconds for which an error is served before the image is tried again. */
  failureSeconds: 60,
  /** Seconds after which a client can retry a request for an image that isn't ready. */
  retrySeconds: 5,
  /**
   * Time limit for fetching an original, in seconds. `fetchSlots`: maximum number of originals that one gateway fetches
   * at once for one account.
   */
  fetchSeconds: 15,
  fetchSlots: 8,
  /**
   * Maximum number of images per account that wait for a fetch slot on one gateway. `queueSeconds`: maximum wait, in
   * seconds.
   */
  fetchQueue: 100,
  queueSeconds: 60,
  /**
   * Seconds after which a claim on an image expires. Another request can then claim the image, in case the gateway that
   * was preparing it has stopped.
   */
  claimSeconds: 60,
  /** Days for which unused cache entries are kept. */
  entryDays: 2,
} as const;

/** Prefix of the secrets that sign image URLs, followed by 32 random bytes as base64url. */
export const imageUrlSecretPrefix = 'upz_img_';

/** Options that only image URLs have. `key`: the ID of the account's settings. `expires`: Unix time in seconds. */
export const imageUrlOptions = { key: 'k', expires: 'exp' } as const;
