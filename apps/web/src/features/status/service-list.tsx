import type { ServiceStatus, Status, StatusDay } from '@uprez/contracts/schemas/status';
import { formatCoverage, formatUptime } from '@uprez/contracts/texts/status';
import clsx from 'clsx';
import { formatShortDay, formatShortTime } from '../../lib/format/format.ts';
import { ServiceBadge } from '../../ui/status/state-badges.tsx';
import { statusMessages as text } from './messages.ts';

/** Whether the share of observed time must be said for a service, beside that of all services. */
const differs = (coverage: number, overall: number | null): boolean =>
  overall === null || Math.abs(coverage - overall) >= 0.01;

type ServiceProps = { service: ServiceStatus; overall: number | null };

function Service({ service, overall }: ServiceProps) {
  const { name, state, uptime, coverage, responseMs, days } = service;
  const facts = [
    [text.uptime, uptime === null ? text.none : formatUptime(uptime)],
    [text.response, responseMs === null ? text.none : formatShortTime(responseMs)],
  ] as const;
  return (
    <li className="grid gap-3 py-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="text-base">{name}</h3>
        <ServiceBadge state={state} />
      </div>
      {state !== 'unconfigured' && (
        <>
          <UptimeBars name={name} days={days} />
          <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
            {facts.map(([label, value]) => (
              <div key={label} className="flex gap-1.5">
                <dt className="text-muted">{label}</dt>
                <dd className="tabular-nums">{value}</dd>
              </div>
            ))}
            {coverage !== null && differs(coverage, overall) && (
              <div className="text-muted">
                <dt className="sr-only">{text.figures.title}</dt>
                <dd>{text.figures.coverage(formatCoverage(coverage))}</dd>
              </div>
            )}
          </dl>
        </>
      )}
    </li>
  );
}

/** The services with their state, and a bar for each of the last days. */
export const ServiceList = ({ services, coverage }: Pick<Status, 'services' | 'coverage'>) => (
  <section aria-label={text.services} className="grid gap-2">
    <h2 className="text-lg">{text.services}</h2>
    <BarLegend />
    <ul className="divide-y divide-line">
      {services.map((service) => (
        <Service key={service.service} service={service} overall={coverage} />
      ))}
    </ul>
  </section>
);

const barsText = text.bars;
type DayKind = keyof typeof barsText.legend;

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
  if (up + degraded + down + maintenance === 0) return `${date}: ${barsText.noData}`;
  const parts = [
    down > 0 ? barsText.outage(timeOf(down)) : barsText.none,
    ...(degraded > 0 ? [barsText.degraded(timeOf(degraded))] : []),
    ...(maintenance > 0 ? [barsText.maintenance(timeOf(maintenance))] : []),
    ...(unknown > 0 ? [barsText.unknown(timeOf(unknown))] : []),
  ];
  return `${date}: ${parts.join(', ')}`;
}

/** A bar for each of the last days. */
function UptimeBars({ name, days }: Pick<ServiceStatus, 'name' | 'days'>) {
  const observed = days.filter((day) => day.up + day.degraded + day.down + day.maintenance > 0);
  const outages = observed.filter(({ down }) => down > 0);
  const label = barsText.label(name, { observed: observed.length, outage: outages.length });
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
        <span>{barsText.from}</span>
        <span>{barsText.to}</span>
      </div>
    </div>
  );
}

/** What the colors of the bars mean. */
const BarLegend = () => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
    {(Object.keys(colors) as DayKind[]).map((kind) => (
      <li key={kind} className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className={clsx('size-2.5 rounded-small', colors[kind])} />
        {barsText.legend[kind]}
      </li>
    ))}
  </ul>
);
