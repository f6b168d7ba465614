import { formatNames } from '@uprez/contracts/policy/image-formats';
import { retention } from '@uprez/contracts/policy/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatBytes, formatCount, formatList } from '@uprez/contracts/texts/format';
import { pricingMessages } from './messages.ts';

const text = pricingMessages.comparison;

type Entitlements = PlanCard['entitlements'];
/** The value of a plan in a row; undefined if it lacks the feature. */
type CellText = (entitlements: Entitlements, least: Entitlements) => string | undefined;

type ComparisonRow = { label: string; cells: { key: PlanCard['key']; text: string; has: boolean }[] };
export type ComparisonGroup = { label: string; rows: ComparisonRow[] };

const included =
  (meter: 'ai' | 'standard'): CellText =>
  ({ included: units }) =>
    'shared' in units ? text.shared(formatCount(units.shared)) : formatCount(units[meter]);

/** The rows of each group by their labels. */
const groups: Record<string, Record<string, CellText>> = {
  Images: {
    'AI images per month': included('ai'),
    'Standard images per month': included('standard'),
    'At the monthly limit': ({ hardStop }) => (hardStop ? text.pauses : text.goesOn),
    'Maximum scale with AI': ({ maxFactor }) => text.factor(maxFactor.ai),
    'Maximum scale without AI': ({ maxFactor }) => text.factor(maxFactor.standard),
    'Maximum result size': ({ maxOutputPixels }) => text.megapixels(formatCount(maxOutputPixels / 1e6)),
    'Images per minute': ({ callsPerMinute }) => formatCount(callsPerMinute),
    'Queue priority': ({ queueWeight }, least) => text.turns(formatCount(queueWeight / least.queueWeight)),
  },
  Files: {
    'Images per batch': ({ bulkFiles }) => formatCount(bulkFiles),
    'Maximum file size': ({ uploadBytes }) => formatBytes(uploadBytes.web),
    'Output formats': ({ formats }) =>
      formats === 'all' ? text.allFormats : formatList(formats.map((format) => formatNames[format])),
    'Storage for results': ({ storageBytes }) => formatBytes(storageBytes),
    'Result retention': () => text.hours(retention.resultMinutes / 60),
  },
  API: {
    'API access': ({ api }) => (api ? text.yes : undefined),
    'Maximum file size (API)': ({ uploadBytes: { api } }) => (api === null ? undefined : formatBytes(api)),
    Webhooks: ({ webhooks }) => (webhooks === 'none' ? undefined : text.webhooks[webhooks]),
  },
};

/** A row of the table. Plans without the feature name the smallest plan that has it. */
function makeRow(cards: readonly PlanCard[], label: string, say: CellText): ComparisonRow {
  const least = cards[0]?.entitlements;
  const said = cards.map(({ key, name: plan, entitlements }) => ({
    key,
    plan,
    said: say(entitlements, least ?? entitlements),
  }));
  const opener = said.find((cell) => cell.said !== undefined);
  const missing = opener ? text.from(opener.plan) : text.no;
  const cells = said.map((cell) => ({ key: cell.key, text: cell.said ?? missing, has: cell.said !== undefined }));
  return { label, cells };
}

/** The comparison table of all plans in groups of rows. `cards`: smallest plan first. */
export function makeComparison(cards: readonly PlanCard[]): ComparisonGroup[] {
  return Object.entries(groups).map(([label, rows]) => ({
    label,
    rows: Object.entries(rows).map(([name, say]) => makeRow(cards, name, say)),
  }));
}
