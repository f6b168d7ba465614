import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Incident } from '@uprez/contracts/schemas/status';
import { incidentPath } from '@uprez/contracts/texts/site/pages';
import { incidentStateNames, serviceNames } from '@uprez/contracts/texts/status';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { IncidentBadge, SeverityBadge } from '../../ui/status/state-badges.tsx';
import { statusMessages as text } from './messages.ts';

export function IncidentFacts({ incident }: { incident: Incident }) {
  const { severity, state, services, startsAt, endsAt } = incident;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <SeverityBadge severity={severity} />
        <IncidentBadge state={state} />
      </div>
      <p className="text-muted text-sm">
        {text.period(formatDateTime(startsAt), endsAt && formatDateTime(endsAt))}
        <span aria-hidden="true">{' · '}</span>
        <span className="sr-only">{`${text.affected}: `}</span>
        {services.map((service) => serviceNames[service]).join(', ')}
      </p>
    </div>
  );
}

/** Lists the updates of an incident, latest first. */
export const IncidentTimeline = ({ updates }: Pick<Incident, 'updates'>) => (
  <ol className="grid gap-5 border-line border-l pl-5">
    {updates.map(({ id, state, text: content, at }) => (
      <li key={id} className="grid gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{incidentStateNames[state]}</span>
          <time dateTime={at} className="text-muted text-xs">
            {formatDateTime(at)}
          </time>
        </p>
        <p className="whitespace-pre-line text-sm wrap-anywhere">{content}</p>
      </li>
    ))}
  </ol>
);

type IncidentListProps = { title: string; incidents: readonly Incident[]; empty?: string };

export function IncidentList({ title, incidents, empty }: IncidentListProps) {
  return (
    <section aria-label={title} className="grid gap-2">
      <h2 className="text-lg">{title}</h2>
      {incidents.length === 0 && <p className="text-muted text-sm">{empty}</p>}
      <ul className="divide-y divide-line">
        {incidents.map((incident) => (
          <li key={incident.id} className="grid gap-3 py-5">
            <h3 className="text-base wrap-anywhere">
              <Link to={incidentPath(incident.id)} className="underline-offset-4 hover:underline">
                {incident.title}
              </Link>
            </h3>
            <IncidentFacts incident={incident} />
            <IncidentTimeline updates={incident.updates.slice(0, 1)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Keeps data that a page's loader has just read from being fetched again when the page renders. */
const fresh = { staleTime: 10_000, retryOnMount: false } as const;

/** Refetches regularly while the page is open. */
export const statusQuery = queryOptions({
  queryKey: [apiRoutes.getStatus.path],
  queryFn: async ({ signal }) => (await api.getStatus({ signal })).data,
  refetchInterval: 60_000,
  ...fresh,
});

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: [apiRoutes.getStatus.path, id],
    queryFn: async ({ signal }) => (await api.getIncident({ params: { id }, signal })).data,
    ...fresh,
  });
