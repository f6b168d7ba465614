/**
 * The plan table: price, quota, and limits of every subscription tier. Prices are US dollars per month, sizes are
 * bytes, output limits are pixels, and `jobSeconds` is the maximum estimated duration of a job. Subscribers keep the
 * `version` that they bought (see `plan-versions.ts`).
 */
const MB = 1024 * 1024;
const GB = 1024 * MB;
const megapixels = (n: number) => n * 1_000_000;

const commonColumns = { version: 1, hardStop: true, bulkFiles: 100, formats: 'all' } as const;
const webPlan = { ...commonColumns, uploadBytes: { web: 50 * MB, api: null }, api: false, webhooks: 'none' } as const;
const apiPlan = { ...commonColumns, uploadBytes: { web: 50 * MB, api: 100 * MB }, api: true } as const;

/** Plans as currently sold. The plan of an account is `planOf(account)`. */
export const currentPlans = {
  free: {
    ...webPlan,
    name: 'Free',
    price: 0,
    included: { ai: 10, standard: 100 },
    maxFactor: { ai: 4, standard: 8 },
    bulkFiles: 3,
    maxOutputPixels: megapixels(200),
    jobSeconds: 300,
    storageBytes: 1 * GB,
    callsPerMinute: 60,
    queueWeight: 1,
    formats: ['png', 'jpeg', 'webp'],
  },
  pro: {
    ...webPlan,
    name: 'Pro',
    price: 7,
    included: { ai: 100, standard: 1_000 },
    maxFactor: { ai: 8, standard: 8 },
    maxOutputPixels: megapixels(256),
    jobSeconds: 900,
    storageBytes: 10 * GB,
    callsPerMinute: 120,
    queueWeight: 4,
  },
  api_basic: {
    ...apiPlan,
    name: 'API Basic',
    price: 19,
    included: { shared: 1_000 },
    maxFactor: { ai: 8, standard: 128 },
    maxOutputPixels: megapixels(256),
    jobSeconds: 900,
    storageBytes: 10 * GB,
    callsPerMinute: 120,
    queueWeight: 4,
    webhooks: 'feed',
  },
  api_pro: {
    ...apiPlan,
    name: 'API Pro',
    price: 49,
    included: { shared: 5_000 },
    maxFactor: { ai: 128, standard: 128 },
    maxOutputPixels: megapixels(512),
    jobSeconds: 1_800,
    storageBytes: 50 * GB,
    callsPerMinute: 300,
    queueWeight: 8,
    webhooks: 'delivery',
  },
  enterprise: {
    ...apiPlan,
    name: 'Enterprise',
    price: 149,
    included: { shared: 25_000 },
    hardStop: false,
    maxFactor: { ai: 128, standard: 128 },
    maxOutputPixels: megapixels(512),
    jobSeconds: 3_600,
    storageBytes: 100 * GB,
    callsPerMinute: 600,
    queueWeight: 8,
    webhooks: 'delivery',
  },
} as const;

export type Tier = keyof typeof currentPlans;
export const tiers = Object.keys(currentPlans) as [Tier, ...Tier[]];
export const centsPerMonth = (tier: Tier): number => Math.round(currentPlans[tier].price * 100);
export const paidTiers: readonly Tier[] = tiers.filter((tier) => currentPlans[tier].price > 0);
/** Plan that is sold by email, only to accounts that an administrator sent a checkout link to. */
export const salesOnlyTier: Tier = 'enterprise';
export const tiersForSale: readonly Tier[] = paidTiers.filter((tier) => tier !== salesOnlyTier);

/**
 * Retention periods. `failedSourceMinutes`: for the source of a failed job, to allow retries. `usageRowDays`: for jobs,
 * until their usage is rolled up.
 */
export const retention = {
  resultMinutes: 24 * 60,
  failedSourceMinutes: 60,
  usageRowDays: 90,
} as const;

export const maxPlanFactor = Math.max(...Object.values(currentPlans).map(({ maxFactor }) => maxFactor.standard));
