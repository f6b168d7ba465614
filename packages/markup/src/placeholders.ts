import { ticketLimits } from '@uprez/contracts/policy/admin/tickets';
import { billingRules } from '@uprez/contracts/policy/billing/billing';
import {
  crispRange,
  exactAlphaFormats,
  formatNames,
  inputFormats,
  outputFormats,
} from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { newsletterLimits } from '@uprez/contracts/policy/newsletter';
import { warningPercentages } from '@uprez/contracts/policy/plans/meters';
import { type Entitlements, formatIncluded } from '@uprez/contracts/policy/plans/plan-columns';
import { currentPlans, retention, tiers } from '@uprez/contracts/policy/plans/plans';
import {
  formatAlternatives,
  formatBytes,
  formatCount,
  formatList,
  formatPercent,
  formatPrice,
  pluralize,
} from '@uprez/contracts/texts/format';
import { v1Defaults } from '@uprez/contracts/v1/fields';

type Plan = Entitlements & { name: string; price: number };

/** Functions that format a plan's placeholder values, in the same way as the pricing page. */
const planFacts: Record<string, (plan: Plan) => string> = {
  name: ({ name }) => name,
  price: ({ price }) => formatPrice(price),
  images: formatIncluded,
  uploadSize: ({ uploadBytes }) => formatBytes(uploadBytes.web),
  storage: ({ storageBytes }) => formatBytes(storageBytes),
  batchSize: ({ bulkFiles }) => formatCount(bulkFiles),
  apiUploadSize: ({ uploadBytes: { api } }) => (api === null ? '-' : formatBytes(api)),
  aiFactor: ({ maxFactor }) => `${maxFactor.ai}x`,
  standardFactor: ({ maxFactor }) => `${maxFactor.standard}x`,
  callsPerMinute: ({ callsPerMinute }) => formatCount(callsPerMinute),
  formats: ({ formats }) => formatList((formats === 'all' ? outputFormats : formats).map((name) => formatNames[name])),
};

const productFacts: Record<string, string> = {
  'formats.input': formatList(inputFormats.map((format) => formatNames[format])),
  'formats.output': formatList(outputFormats.map((format) => formatNames[format])),
  'crisp.below': `${crispRange.below}x`,
  'formats.exactAlpha': formatAlternatives(exactAlphaFormats.map((format) => formatNames[format])),
  'limits.inputMegapixels': formatCount(limits.inputPixels / 1e6),
  'limits.minAge': formatCount(limits.minAge),
  'retention.results': pluralize(retention.resultMinutes / 60, 'hour'),
  'retention.failedUploads': pluralize(retention.failedSourceMinutes, 'minute'),
  'retention.messages': pluralize(ticketLimits.closedDays, 'day'),
  'retention.logs': pluralize(retention.usageRowDays, 'day'),
  'retention.tickets': pluralize(ticketLimits.closedDays, 'day'),
  'retention.spam': pluralize(ticketLimits.spamDays, 'day'),
  'retention.subscriptions': pluralize(newsletterLimits.pendingDays, 'day'),
  'billing.moneyBackDays': formatCount(billingRules.moneyBackDays),
  'billing.moneyBackUsed': formatPercent(billingRules.moneyBackUsedPercent),
  'sandbox.side': formatCount(limits.sandboxSide),
  'quality.api': formatCount(v1Defaults.quality),
  'usage.warnedShare': formatPercent(warningPercentages[0]),
};

/** Placeholder values by key, such as `plans.pro.price`. In Markdown, keys are in double braces. */
export const placeholderValues: ReadonlyMap<string, string> = new Map([
  ...Object.entries(productFacts),
  ...tiers.flatMap((tier) =>
    Object.entries(planFacts).map(([fact, format]) => [`plans.${tier}.${fact}`, format(currentPlans[tier])] as const),
  ),
]);

const placeholder = /\{\{([^{}]*)\}\}/g;

export const findUnknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(placeholder)].find(([, key = '']) => !placeholderValues.has(key.trim()))?.[0];

/** Replaces placeholders with their values. Unknown placeholders stay unchanged. */
export const fillPlaceholders = (text: string): string =>
  text.replaceAll(placeholder, (whole, key: string) => placeholderValues.get(key.trim()) ?? whole);
