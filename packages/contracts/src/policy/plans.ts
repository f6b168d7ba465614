/**
 * The plan table: price, quota, and limits of every subscription tier. Prices are US dollars per month, sizes are bytes,
 * output limits are pixels. Subscribers keep the version they bought (`version`).
 */
const MB = 1024 * 1024;
const GB = 1024 * MB;
const megapixels = (n: number) => n * 1_000_000;

export const plans = {
  free: {
    version: 1,
    name: 'Free',
    price: 0,
    included: { ai: 10, standard: 100 },
    hardStop: true,
    maxFactor: { ai: 4, standard: 8 },
    bulkFiles: 3,
    maxOutputPixels: megapixels(200),
    uploadBytes: { web: 50 * MB, api: null },
    storageBytes: 1 * GB,
    callsPerMinute: 60,
    queueWeight: 1,
    formats: ['png', 'jpeg', 'webp'],
    api: false,
    webhooks: 'none',
  },
  pro: {
    version: 1,
    name: 'Pro',
    price: 7,
    included: { ai: 100, standard: 1_000 },
    hardStop: true,
    maxFactor: { ai: 8, standard: 8 },
    bulkFiles: 100,
    maxOutputPixels: megapixels(256),
    uploadBytes: { web: 50 * MB, api: null },
    storageBytes: 10 * GB,
    callsPerMinute: 120,
    queueWeight: 4,
    formats: 'all',
    api: false,
    webhooks: 'none',
  },
  api_basic: {
    version: 1,
    name: 'API Basic',
    price: 19,
    included: { shared: 1_000 },
    hardStop: true,
    maxFactor: { ai: 8, standard: 128 },
    bulkFiles: 100,
    maxOutputPixels: megapixels(256),
    uploadBytes: { web: 50 * MB, api: 100 * MB },
    storageBytes: 10 * GB,
    callsPerMinute: 120,
    queueWeight: 4,
    formats: 'all',
    api: true,
    webhooks: 'feed',
  },
  api_pro: {
    version: 1,
    name: 'API Pro',
    price: 49,
    included: { shared: 5_000 },
    hardStop: true,
    maxFactor: { ai: 128, standard: 128 },
    bulkFiles: 100,
    maxOutputPixels: megapixels(512),
    uploadBytes: { web: 50 * MB, api: 100 * MB },
    storageBytes: 50 * GB,
    callsPerMinute: 300,
    queueWeight: 8,
    formats: 'all',
    api: true,
    webhooks: 'delivery',
  },
  enterprise: {
    version: 1,
    name: 'Enterprise',
    price: 149,
    included: { shared: 25_000 },
    hardStop: false,
    maxFactor: { ai: 128, standard: 128 },
    bulkFiles: 100,
    maxOutputPixels: megapixels(512),
    uploadBytes: { web: 50 * MB, api: 100 * MB },
    storageBytes: 100 * GB,
    callsPerMinute: 600,
    queueWeight: 8,
    formats: 'all',
    api: true,
    webhooks: 'delivery',
  },
} as const;

export type Tier = keyof typeof plans;
export const tiers = Object.keys(plans) as [Tier, ...Tier[]];
/** Plans that are sold by email. */
export const tiersByMail: readonly Tier[] = ['enterprise'];

/** Retention of results and, for retries, of the source of a failed job. */
export const retention = {
  resultMinutes: 24 * 60,
  failedSourceMinutes: 60,
  usageRowDays: 90,
} as const;
