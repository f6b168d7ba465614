import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useParams } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { MissingPage } from '../../features/admin/frame/missing-page.tsx';
import { JobActions } from '../../features/admin/jobs/job-actions.tsx';
import { JobDetails } from '../../features/admin/jobs/job-details.tsx';
import { jobMessages as text } from '../../features/admin/jobs/job-messages.ts';
import { useJob } from '../../features/admin/jobs/queries.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

/** One job without its image, and what an administrator may do with it. */
export function JobPage() {
  const { id = '' } = useParams();
  const query = useJob(id);
  if (hasErrorCode(query.error, 'job_not_found')) return <MissingPage text={text.notFound} list={adminPages.jobs} />;
  const job = query.data;
  return (
    <AdminPage
      title={job?.filename ?? text.loading}
      subtitle={job?.id ?? ''}
      actions={job && <JobActions key={job.id} job={job} />}
    >
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(found) => <JobDetails job={found} now={query.dataUpdatedAt} />}
      </QueryView>
    </AdminPage>
  );
}
