import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import { retention } from '@uprez/contracts/policy/plans/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes, formatCount, formatList } from '@uprez/contracts/texts/format';
import clsx from 'clsx';
import { pricingMessages } from './messages.ts';

const text = pricingMessages.comparison;

type Entitlements = PlanCard['entitlements'];
/** Undefined if the plan lacks the feature. `least`: entitlements of the smallest plan. */
type CellText = (entitlements: Entitlements, least: Entitlements) => string | undefined;

type ComparisonRow = { label: string; cells: { key: PlanCard['key']; text: string; has: boolean }[] };

const makeIncludedCell =
  (meter: 'ai' | 'standard'): CellText =>
  ({ included: units }) =>
    'shared' in units ? text.shared(formatCount(units.shared)) : formatCount(units[meter]);

const groups: Record<string, Record<string, CellText>> = {
  Images: {
    'AI images per month': makeIncludedCell('ai'),
    'Standard images per month': makeIncludedCell('standard'),
    'At the monthly limit': ({ hardStop }) => (hardStop ? text.pauses : text.goesOn),
    'Maximum scale with AI': ({ maxFactor }) => text.factor(maxFactor.ai),
    'Maximum scale without AI': ({ maxFactor }) => text.factor(maxFactor.standard),
    'Maximum result size': ({ maxOutputPixels }) => text.megapixels(formatCount(maxOutputPixels / 1e6)),
    'Maximum processing time per image': ({ jobSeconds }) => text.minutes(formatCount(jobSeconds / 60)),
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
    'Sandbox key': () => text.yes,
    'API access': ({ api }) => (api ? text.yes : undefined),
    'Maximum file size (API)': ({ uploadBytes: { api } }) => (api === null ? undefined : formatBytes(api)),
    'Event feed': ({ webhooks }) => (webhooks === 'none' ? undefined : text.yes),
    'Webhooks (sandbox events)': ({ webhooks }) => (webhooks === 'none' ? undefined : text.yes),
    Webhooks: ({ webhooks }) => (webhooks === 'delivery' ? text.yes : undefined),
  },
};

/** In plans without the feature, the cell names the smallest plan that has it. */
function makeRow(cards: readonly PlanCard[], label: string, say: CellText): ComparisonRow {
  const least = cards[0]?.entitlements;
  const planCells = cards.map(({ key, name: plan, entitlements }) => ({
    key,
    plan,
    said: say(entitlements, least ?? entitlements),
  }));
  const opener = planCells.find((cell) => cell.said !== undefined);
  const missing = opener ? text.from(opener.plan) : text.no;
  const cells = planCells.map((cell) => ({ key: cell.key, text: cell.said ?? missing, has: cell.said !== undefined }));
  return { label, cells };
}

/** Returns the groups and rows of the comparison. `cards`: smallest plan first. */
export function makeComparison(cards: readonly PlanCard[]) {
  return Object.entries(groups).map(([label, rows]) => ({
    label,
    rows: Object.entries(rows).map(([name, say]) => makeRow(cards, name, say)),
  }));
}

const headStyle = 'sticky left-0 z-10 bg-page px-3 py-2.5 text-left font-normal max-sm:w-36 max-sm:min-w-36 sm:w-56';

function Group({ group, columns }: { group: ReturnType<typeof makeComparison>[number]; columns: number }) {
  return (
    <>
      <tr>
        <th scope="rowgroup" colSpan={columns + 1} className="px-3 pt-7 pb-2 text-left text-sm">
          <span className="sticky left-3 font-medium">{group.label}</span>
        </th>
      </tr>
      {group.rows.map(({ label, cells }) => (
        <tr key={label} className="border-line border-t">
          <th scope="row" className={headStyle}>
            {label}
          </th>
          {cells.map(({ key, text: words, has }) => (
            <td key={key} className={clsx('px-3 py-2.5 tabular-nums', !has && 'text-muted')}>
              {words}
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}

export function PlanComparison({ cards, user }: { cards: readonly PlanCard[]; user: User | null }) {
  return (
    <div className="grid gap-4">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={text.region} className="-mx-4 overflow-x-auto px-4 sm:-mx-6 sm:px-6">
        <table className="w-full min-w-220 border-collapse text-sm">
          <thead>
            <tr>
              <th scope="col" className={headStyle}>
                <span className="sr-only">{text.what}</span>
              </th>
              {cards.map(({ key, name }) => (
                <th key={key} scope="col" className="px-3 py-2.5 text-left font-bold">
                  {name}
                  {user?.subscriptionTier === key && (
                    <span className="block font-normal text-muted text-xs">{pricingMessages.current}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {makeComparison(cards).map((group) => (
              <Group key={group.label} group={group} columns={cards.length} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="text-muted text-xs">{text.sharedNote}</p>
    </div>
  );
}
