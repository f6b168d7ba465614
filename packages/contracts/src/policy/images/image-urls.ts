/** Rules of image URLs, which websites use as the source of images. */
export const imageUrls = {
  /** Path of an image, before `/{signature}/{processing}/{source}`. */
  path: '/v1/img',
  /** Hosts that an account can allow, and the longest name, characters (RFC 1035). */
  hosts: 50,
  hostLength: 253,
  /** Longest options of a URL, characters. */
  optionsLength: 300,
  /** Hours for which URLs that were signed with a rotated secret still work: default and longest. */
  overlapHours: 24,
  maxOverlapHours: 168,
  /** Seconds for which a result is sent without looking at its source again. */
  freshSeconds: 3_600,
  /** Seconds for which an error is sent without another try. */
  failureSeconds: 60,
  /** Seconds after which a client may ask again for an image that isn't ready. */
  retrySeconds: 5,
  /** Time to fetch an original, seconds, and originals that one gateway fetches for one account at once. */
  fetchSeconds: 15,
  fetchSlots: 8,
  /** Images that may wait for these slots in one gateway, for each account, and for how long, seconds. */
  fetchQueue: 100,
  queueSeconds: 60,
  /** Seconds after which another request may start, because a gateway that prepares an image has stopped. */
  claimSeconds: 60,
  /** Days that unused entries of the cache are kept. */
  entryDays: 2,
} as const;

/** Prefix of the secrets that sign image URLs, followed by 32 random bytes as base64url. */
export const imageUrlSecretPrefix = 'upz_img_';

/** Names of options that only image URLs have. `key`: the ID of the account's settings. `expires`: Unix time in seconds. */
export const imageUrlOptions = { key: 'k', expires: 'exp' } as const;
