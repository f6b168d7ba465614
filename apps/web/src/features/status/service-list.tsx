import type { ServiceStatus, Status } from '@uprez/contracts/schemas/status';
import { formatCoverage, formatUptime } from '@uprez/contracts/texts/status';
import { formatShortTime } from '../../lib/format/format.ts';
import { ServiceBadge } from '../../ui/status/state-badges.tsx';
import { statusMessages as text } from './messages.ts';
import { BarLegend, UptimeBars } from './uptime-bars.tsx';

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
