import { useQuery } from '@tanstack/react-query';
import type { Incident } from '@uprez/contracts/schemas/status';
import { Link, type LoaderFunctionArgs, useParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { linkStyle } from '../../ui/controls/button.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { IncidentFacts, IncidentTimeline, incidentQuery } from './incident-list.tsx';
import { statusMessages as text } from './messages.ts';

/** Prefetches the incident that the URL names. The page shows errors. */
export async function loadIncident({ params: { id = '' } }: LoaderFunctionArgs): Promise<null> {
  await queryClient.prefetchQuery(incidentQuery(id));
  return null;
}

const IncidentView = ({ incident }: { incident: Incident }) => (
  <article className="grid gap-8">
    <header className="grid gap-4">
      <Link to={paths.status} className={`${linkStyle} justify-self-start px-0!`}>
        {text.back}
      </Link>
      <PageHeading
        title={documentTitle(incident.title)}
        description={incident.updates[0]?.text.slice(0, 300) ?? ''}
        className="text-xl wrap-anywhere sm:text-2xl"
      >
        {incident.title}
      </PageHeading>
      <IncidentFacts incident={incident} />
    </header>
    <section aria-label={text.updates} className="grid gap-4">
      <h2 className="text-lg">{text.updates}</h2>
      <IncidentTimeline updates={incident.updates} />
    </section>
  </article>
);

export function StatusIncidentPage() {
  const { id = '' } = useParams();
  const query = useQuery(incidentQuery(id));
  if (hasErrorCode(query.error, 'incident_not_found')) return <NotFoundPage />;
  return (
    <div className="mx-auto w-full max-w-180 px-4 py-10 sm:px-6 md:py-16">
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(incident) => <IncidentView incident={incident} />}
      </QueryView>
    </div>
  );
}
