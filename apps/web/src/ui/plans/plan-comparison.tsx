import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import clsx from 'clsx';
import { Fragment } from 'react';
import { type ComparisonGroup, makeComparison } from './comparison-rows.ts';
import { pricingMessages } from './messages.ts';

const text = pricingMessages.comparison;
const headStyle = 'sticky left-0 z-10 bg-page px-3 py-2.5 text-left font-normal max-sm:w-36 max-sm:min-w-36 sm:w-56';

function Group({ group, columns }: { group: ComparisonGroup; columns: number }) {
  return (
    <Fragment>
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
    </Fragment>
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
