import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { ServiceStatus, Status, StatusDay } from '@uprez/contracts/schemas/status';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { statusFiles } from '@uprez/contracts/texts/site/pages';
import { formatCoverage, formatUptime, incidentListNames, separateIncidents } from '@uprez/contracts/texts/status';
import clsx from 'clsx';
import { queryClient } from '../../lib/api/query-client.ts';
import { formatDateTime, formatShortDay, formatShortTime } from '../../lib/format/format.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { linkStyle } from '../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { ServiceBadge } from '../../ui/status/state-badges.tsx';
import { newsletterMessages } from '../newsletter/messages.ts';
import { SubscribeForm } from '../newsletter/subscribe-form.tsx';
import { IncidentList, statusQuery } from './incident-list.tsx';
import { statusMessages as text } from './messages.ts';

/** Prefetches the status. The page shows errors. */
export async function loadStatus(): Promise<null> {
  await queryClient.prefetchQuery(statusQuery);
  return null;
}

export function StatusPage() {
  const query = useQuery(statusQuery);
  return (
    <div className="mx-auto grid w-full max-w-240 grid-cols-[minmax(0,1fr)] content-start gap-10 px-4 py-10 sm:px-6 md:py-16">
      <PageHeading
        title={documentTitle(text.title)}
        description={pageDescriptions[paths.status]}
        className="text-xl sm:text-2xl"
      >
        {text.title}
      </PageHeading>
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(status) => <StatusView status={status} />}
      </QueryView>
    </div>
  );
}

function StatusView({ status }: { status: Status }) {
  const { maintenance } = status;
  const [active, past] = separateIncidents(status.incidents);
  return (
    <>
      <OverallCard {...status} />
      {active.length > 0 && <IncidentList title={incidentListNames.active} incidents={active} />}
      <StatusFigures {...status} />
      {maintenance.length > 0 && <IncidentList title={incidentListNames.maintenance} incidents={maintenance} />}
      <ServiceList {...status} />
      <IncidentList title={incidentListNames.past} incidents={past} empty={text.noIncidents} />
      <StayInformed />
      <StatusNotes />
    </>
  );
}

const statusText = newsletterMessages.status;

const StayInformed = () => (
  <Card title={statusText.title} className="sm:p-7">
    <p className="text-muted text-sm">{statusText.text}</p>
    <SubscribeForm source="status" topics={['status']} />
  </Card>
);

const OverallCard = ({ state, description, checkedAt }: Status) => (
  <Card>
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="font-medium text-lg">{description}</p>
      <ServiceBadge state={state} />
    </div>
    <p className="text-muted text-sm">
      {checkedAt === null ? text.neverChecked : text.checked(formatDateTime(checkedAt))}
    </p>
  </Card>
);

/** For the last `figureDays` days. */
function StatusFigures({ uptime, coverage, responseMs, processingMs }: Status) {
  const figures = [
    {
      label: text.figures.uptime,
      value: uptime === null ? text.none : formatUptime(uptime),
      note: coverage === null ? undefined : text.figures.coverage(formatCoverage(coverage)),
    },
    { label: text.figures.response, value: responseMs === null ? text.none : formatShortTime(responseMs) },
    { label: text.figures.processing, value: processingMs === null ? text.none : formatShortTime(processingMs) },
  ];
  return (
    <section aria-label={text.figures.title}>
      <dl className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-3">
        {figures.map(({ label, value, note }) => (
          <div key={label} className="grid content-start gap-1 bg-surface p-4 sm:p-5">
            <dt className="text-muted text-sm">{label}</dt>
            <dd className="font-bold text-xl tabular-nums tracking-tight">{value}</dd>
            {note && <dd className="text-muted text-xs">{note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}

const formats = [
  [text.formats.json, apiRoutes.getStatus.path],
  [text.formats.feed, statusFiles.feed],
  [text.formats.badge, statusFiles.badge],
] as const;

const StatusNotes = () => (
  <section aria-label={text.formula.title} className="grid gap-3">
    <h2 className="text-lg">{text.formula.title}</h2>
    <div className="grid max-w-180 gap-2 text-muted text-sm">
      {text.formula.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
    <ul aria-label={text.formats.title} className="flex flex-wrap gap-x-4">
      {formats.map(([label, href]) => (
        <li key={href}>
          <a href={href} className={`${linkStyle} px-0!`}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </section>
);

/**
 * Whether a service's share of observed time is worth showing. It must differ from the overall share by at least 1
 * percentage point.
 */
const differsFromOverall = (coverage: number, overall: number | null): boolean =>
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
            {coverage !== null && differsFromOverall(coverage, overall) && (
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

const ServiceList = ({ services, coverage }: Pick<Status, 'services' | 'coverage'>) => (
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

/** Formats a duration, such as `2 h 5 min`, `3 min`, or `40 s`. */
function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  return [minutes >= 60 && `${Math.floor(minutes / 60)} h`, minutes % 60 > 0 && `${minutes % 60} min`]
    .filter(Boolean)
    .join(' ');
}

/**
 * Returns the kind that a day's bar shows. A day with any downtime or degraded time is `down` or `degraded`. A day
 * without data for at least half of its time is `unknown`. Otherwise, the longer of `maintenance` and `up` wins.
 */
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
    down > 0 ? barsText.outage(formatSeconds(down)) : barsText.none,
    ...(degraded > 0 ? [barsText.degraded(formatSeconds(degraded))] : []),
    ...(maintenance > 0 ? [barsText.maintenance(formatSeconds(maintenance))] : []),
    ...(unknown > 0 ? [barsText.unknown(formatSeconds(unknown))] : []),
  ];
  return `${date}: ${parts.join(', ')}`;
}

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
