import type { Dashboard, Trend } from '@uprez/contracts/schemas/dashboard';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDuration, formatSigned } from '../../lib/format/format.ts';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.stats;

/** Formats of the counters that are compared with the previous period. */
const formats = { imagesProcessed: formatCount, apiCalls: formatCount, avgProcessingTime: formatDuration };
type ComparedStat = keyof typeof formats;
const comparedStats = Object.keys(formats) as ComparedStat[];

/** The value of a counter; a hyphen if there is none yet. */
export function statText(stat: ComparedStat, value: Dashboard[ComparedStat]): string {
  return value === null ? text.none : formats[stat](value);
}

/** The change of a counter: short, and as a sentence with both values. */
export function trendText(stat: ComparedStat, { change, current, previous }: Trend) {
  const format = formats[stat];
  return {
    short: `${text.change(formatSigned(change))} ${text.than(format(previous))}`,
    long: text.comparison(format(current), format(previous)),
  };
}

type StatCardProps = { label: string; value: string; note?: string; children: ReactNode };

function StatCard({ label, value, note, children }: StatCardProps) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-card border border-line bg-surface p-4">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-bold text-lg tracking-tight sm:text-xl tabular-nums">{value}</dd>
      {children && <dd className="text-muted text-xs tabular-nums">{children}</dd>}
      {note && <dd className="text-muted text-xs max-sm:sr-only">{note}</dd>}
    </div>
  );
}

type CardsProps = { dashboard: Dashboard /** Link to the daily numbers. */; usagePath: string };

function Change({ stat, trend, usagePath }: { stat: ComparedStat; trend: Trend; usagePath: string }) {
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

export function StatCards({ dashboard, usagePath }: CardsProps) {
  const { storageUsed, storageLimit, trends } = dashboard;
  return (
    <dl aria-label={text.label} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {comparedStats.map((stat) => (
        <StatCard key={stat} label={text[stat]} value={statText(stat, dashboard[stat])} note={text.notes[stat]}>
          {/* Without a previous period, there is nothing to compare with. */}
          {trends[stat] && <Change stat={stat} trend={trends[stat]} usagePath={usagePath} />}
        </StatCard>
      ))}
      <StatCard label={text.storage} value={formatBytes(storageUsed)}>
        {text.storageUse(formatBytes(storageLimit))}
      </StatCard>
    </dl>
  );
}
