import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { useDashboard } from '../../lib/api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { NoActivityArt } from '../../ui/feedback/illustrations.tsx';
import { MoreButton } from '../../ui/feedback/more-button.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { useActivityFilter } from './activity-filter.tsx';
import { ActivityGrid, ActivitySkeleton } from './activity-grid.tsx';
import { activityMessages as text } from './messages.ts';
import { useActivity, useLiveActivity } from './use-activity.ts';

type EmptyProps = { isFiltered: boolean; onClear: () => void; onProcess: () => void };

function Empty({ isFiltered, onClear, onProcess }: EmptyProps) {
  const [words, label, act] = isFiltered
    ? ([text.noMatch, text.clear, onClear] as const)
    : ([text.empty, text.process, onProcess] as const);
  const action = (
    <Button look="secondary" onClick={act}>
      {label}
    </Button>
  );
  return <EmptyState {...words} action={action} illustration={<NoActivityArt />} />;
}

export function ActivityList({ onProcess }: { onProcess: () => void }) {
  const [choice, choose] = useActivityFilter();
  const status: JobStatus | undefined = choice === 'all' ? undefined : choice;
  const query = useActivity(status);
  useLiveActivity(status, useDashboard().data?.recentActivity);
  return (
    <div className="grid gap-4">
      <QueryView
        query={query}
        skeleton={<ActivitySkeleton />}
        isEmpty={({ pages }) => pages.every(({ jobs }) => jobs.length === 0)}
        empty={<Empty isFiltered={status !== undefined} onClear={() => choose('all')} onProcess={onProcess} />}
      >
        {(data) => (
          <>
            <ActivityGrid data={data} />
            <MoreButton query={query} />
          </>
        )}
      </QueryView>
    </div>
  );
}
