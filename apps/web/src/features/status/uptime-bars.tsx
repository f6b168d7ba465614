import type { ServiceStatus, StatusDay } from '@uprez/contracts/schemas/status';
import clsx from 'clsx';
import { formatShortDay } from '../../lib/format/format.ts';
import { statusMessages } from './messages.ts';

const text = statusMessages.bars;
type DayKind = keyof typeof text.legend;

const colors: Record<DayKind, string> = {
  up: 'bg-done',
  degraded: 'bg-active',
  down: 'bg-failed',
  maintenance: 'bg-code-name',
  unknown: 'bg-line',
};

/** `2 h 5 min`, `3 min`, `40 s`. */
function timeOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  return [minutes >= 60 && `${Math.floor(minutes / 60)} h`, minutes % 60 > 0 && `${minutes % 60} min`]
    .filter(Boolean)
    .join(' ');
}

/** The worst that a day had. Grey if most of it is unknown. */
function kindOf({ up, degraded, down, maintenance, unknown }: StatusDay): DayKind {
  if (down > 0) return 'down';
  if (degraded > 0) return 'degraded';
  if (up + maintenance <= unknown) return 'unknown';
  return maintenance > up ? 'maintenance' : 'up';
}

function describeDay(day: StatusDay): string {
  const { up, degraded, down, maintenance, unknown } = day;
  const date = formatShortDay(day.day);
  if (up + degraded + down + maintenance === 0) return `${date}: ${text.noData}`;
  const parts = [
    down > 0 ? text.outage(timeOf(down)) : text.none,
    ...(degraded > 0 ? [text.degraded(timeOf(degraded))] : []),
    ...(maintenance > 0 ? [text.maintenance(timeOf(maintenance))] : []),
    ...(unknown > 0 ? [text.unknown(timeOf(unknown))] : []),
  ];
  return `${date}: ${parts.join(', ')}`;
}

/** A bar for each of the last days. */
export function UptimeBars({ name, days }: Pick<ServiceStatus, 'name' | 'days'>) {
  const observed = days.filter((day) => day.up + day.degraded + day.down + day.maintenance > 0);
  const outages = observed.filter(({ down }) => down > 0);
  const label = text.label(name, { observed: observed.length, outage: outages.length });
  return (
    <div className="grid gap-1">
      <div role="img" aria-label={label} className="flex h-8 gap-px sm:gap-0.5">
        {days.map((day) => (
          <span
            key={day.day}
            title={describeDay(day)}
            className={clsx('min-w-0 flex-1 rounded-[1px] sm:rounded-small', colors[kindOf(day)])}
          />
        ))}
      </div>
      <div aria-hidden="true" className="flex justify-between text-muted text-xs">
        <span>{text.from}</span>
        <span>{text.to}</span>
      </div>
    </div>
  );
}

/** What the colors of the bars mean. */
export const BarLegend = () => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
    {(Object.keys(colors) as DayKind[]).map((kind) => (
      <li key={kind} className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className={clsx('size-2.5 rounded-small', colors[kind])} />
        {text.legend[kind]}
      </li>
    ))}
  </ul>
);
