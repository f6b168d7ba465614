import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { JobList } from '../../features/admin/jobs/job-list.tsx';
import { jobsMessages as text } from '../../features/admin/jobs/messages.ts';
import { QueueOverview } from '../../features/admin/jobs/queue-overview.tsx';

/** The queue, the workers, and the jobs of all accounts. */
export function JobsPage() {
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <QueueOverview />
      <JobList />
    </AdminPage>
  );
}
