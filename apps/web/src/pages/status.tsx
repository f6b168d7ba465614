import { useQuery } from '@tanstack/react-query';
import type { Status } from '@uprez/contracts/schemas/status';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { incidentListNames, separateIncidents } from '@uprez/contracts/texts/status';
import { StayInformed } from '../features/newsletter/stay-informed.tsx';
import { IncidentList } from '../features/status/incident-list.tsx';
import { statusMessages as text } from '../features/status/messages.ts';
import { statusQuery } from '../features/status/queries.ts';
import { ServiceList } from '../features/status/service-list.tsx';
import { OverallCard, StatusFigures, StatusNotes } from '../features/status/status-summary.tsx';
import { queryClient } from '../lib/api/query-client.ts';
import { documentTitle } from '../messages.ts';
import { paths } from '../site-map.ts';
import { QueryView, Skeleton } from '../ui/feedback/query-view.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';

/** Reads the status. Errors are shown by the page. */
export async function loadStatus(): Promise<null> {
  await queryClient.prefetchQuery(statusQuery);
  return null;
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
