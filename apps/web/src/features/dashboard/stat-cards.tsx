import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { formatBytes } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { dashboardMessages } from '../../messages/dashboard.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { StatCard } from './stat-card.tsx';
import { type ComparedStat, comparedStats, statText, trendText } from './stat-text.ts';

const text = dashboardMessages.stats;

type CardsProps = { dashboard: Dashboard /** Link to the daily numbers. */; usagePath: string };

/** The change from the previous period, with a link to the daily numbers. */
function Change({ stat, dashboard, usagePath }: CardsProps & { stat: ComparedStat }) {
  const trend = dashboard.trends[stat];
  if (!trend) return `${text.none} ${text.noBase}`;
  const { short, long } = trendText(stat, trend);
  return (
    <Tooltip text={long}>
      <Link
        to={usagePath}
        preventScrollReset
        className="inline-flex min-h-6 items-center rounded-control underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        {short}
      </Link>
    </Tooltip>
  );
}

/** The main numbers of the account. */
export function StatCards({ dashboard, usagePath }: CardsProps) {
  const { storageUsed, storageLimit } = dashboard;
  return (
    <dl aria-label={text.label} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {comparedStats.map((stat) => (
        <StatCard key={stat} label={text[stat]} value={statText(stat, dashboard[stat])} note={text.notes[stat]}>
          <Change stat={stat} dashboard={dashboard} usagePath={usagePath} />
        </StatCard>
      ))}
      <StatCard label={text.storage} value={formatBytes(storageUsed)}>
        {text.storageUse(formatBytes(storageLimit))}
      </StatCard>
    </dl>
  );
}
