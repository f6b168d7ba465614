import { formatNames } from '@uprez/contracts/policy/image-formats';
import { retention } from '@uprez/contracts/policy/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatBytes, formatCount, formatList } from '@uprez/contracts/texts/format';
import { pricingMessages } from './messages.ts';

const text = pricingMessages.comparison;

type Group = keyof typeof text.groups;
type RowName = keyof typeof text.rows;
type Entitlements = PlanCard['entitlements'];
/** The value of a plan in a row; undefined if it lacks the feature. */
type CellText = (entitlements: Entitlements, least: Entitlements) => string | undefined;

export type ComparisonRow = {
  name: RowName;
  label: string;
  cells: { key: PlanCard['key']; text: string; has: boolean }[];
};
export type ComparisonGroup = { name: Group; label: string; rows: ComparisonRow[] };

const included =
  (meter: 'ai' | 'standard'): CellText =>
  ({ included: units }) =>
    'shared' in units ? text.shared(formatCount(units.shared)) : formatCount(units[meter]);

const rows: Record<Group, Partial<Record<RowName, CellText>>> = {
  images: {
    ai: included('ai'),
    standard: included('standard'),
    end: ({ hardStop }) => (hardStop ? text.pauses : text.goesOn),
    factorAi: ({ maxFactor }) => text.factor(maxFactor.ai),
    factorStandard: ({ maxFactor }) => text.factor(maxFactor.standard),
    output: ({ maxOutputPixels }) => text.megapixels(formatCount(maxOutputPixels / 1e6)),
    rate: ({ callsPerMinute }) => formatCount(callsPerMinute),
    queue: ({ queueWeight }, least) => text.turns(formatCount(queueWeight / least.queueWeight)),
  },
  files: {
    batch: ({ bulkFiles }) => formatCount(bulkFiles),
    upload: ({ uploadBytes }) => formatBytes(uploadBytes.web),
    formats: ({ formats }) =>
      formats === 'all' ? text.allFormats : formatList(formats.map((format) => formatNames[format])),
    storage: ({ storageBytes }) => formatBytes(storageBytes),
    retention: () => text.hours(retention.resultMinutes / 60),
  },
  programs: {
    api: ({ api }) => (api ? text.yes : undefined),
    uploadApi: ({ uploadBytes: { api } }) => (api === null ? undefined : formatBytes(api)),
    webhooks: ({ webhooks }) => (webhooks === 'none' ? undefined : text.webhooks[webhooks]),
  },
};

/** A row of the table. Plans without the feature name the smallest plan that has it. */
function makeRow(cards: readonly PlanCard[], name: RowName, say: CellText): ComparisonRow {
  const least = cards[0]?.entitlements;
  const said = cards.map(({ key, name: plan, entitlements }) => ({
    key,
    plan,
    said: say(entitlements, least ?? entitlements),
  }));
  const opener = said.find((cell) => cell.said !== undefined);
  const missing = opener ? text.from(opener.plan) : text.no;
  const cells = said.map((cell) => ({ key: cell.key, text: cell.said ?? missing, has: cell.said !== undefined }));
  return { name, label: text.rows[name], cells };
}

/** The comparison table of all plans in groups of rows. `cards`: smallest plan first. */
export function makeComparison(cards: readonly PlanCard[]): ComparisonGroup[] {
  return (Object.keys(rows) as Group[]).map((group) => ({
    name: group,
    label: text.groups[group],
    rows: (Object.entries(rows[group]) as [RowName, CellText][]).map(([name, say]) => makeRow(cards, name, say)),
  }));
}
