import { countIncluded, type Entitlements } from '@uprez/contracts/policy/plan-columns';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans';
import { formatBytes, formatCount, formatPrice } from '@uprez/contracts/texts/format';

type Plan = Entitlements & { name: string; price: number };

/** What texts may say about a plan, as the pricing page says it. */
const planFacts: Record<string, (plan: Plan) => string> = {
  name: ({ name }) => name,
  price: ({ price }) => formatPrice(price),
  images: countIncluded,
  uploadSize: ({ uploadBytes }) => formatBytes(uploadBytes.web),
  storage: ({ storageBytes }) => formatBytes(storageBytes),
  batchSize: ({ bulkFiles }) => formatCount(bulkFiles),
};

/** Values by the keys that texts name in double braces: `plans.pro.price`. */
const values: ReadonlyMap<string, string> = new Map(
  tiers.flatMap((tier) =>
    Object.entries(planFacts).map(([fact, format]) => [`plans.${tier}.${fact}`, format(currentPlans[tier])] as const),
  ),
);

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Returns the first placeholder of a text that names no known value. */
export const findUnknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(placeholder)].find(([, key = '']) => !values.has(key.trim()))?.[0];

/** Replaces placeholders by their values. Unknown ones stay. */
export const fillPlaceholders = (text: string): string =>
  text.replaceAll(placeholder, (whole, key: string) => values.get(key.trim()) ?? whole);
