import type { Job } from '@uprez/contracts/schemas/job';
import { ActivityFilterFields } from '../features/activity/activity-filter.tsx';
import { ActivityList } from '../features/activity/activity-list.tsx';
import { activityMessages } from '../features/activity/messages.ts';
import { activityKey } from '../features/activity/use-activity.ts';
import { useBulkSettings } from '../features/bulk/state/bulk-settings.ts';
import { Ledger } from '../features/usage/ledger.tsx';
import { usageMessages } from '../features/usage/messages.ts';
import { UsageControls, UsagePerDay } from '../features/usage/usage-per-day.tsx';
import { api } from '../lib/api/api.ts';
import { hasErrorCode, showErrorToast } from '../lib/api/api-errors.ts';
import { dashboardKey } from '../lib/api/queries.ts';
import { useResourceMutation } from '../lib/api/use-resource-mutation.ts';
import { useSearchParam } from '../lib/browser/use-search-param.ts';
import { showToast } from '../lib/notifications/toast-store.ts';
import { Segmented } from '../ui/controls/segmented.tsx';
import { settingsOfJob } from '../ui/recipe/recipe-settings.ts';

const { views: text, rerunSet, retrying } = activityMessages;
const views = ['images', 'usage', 'units'] as const;
const options = views.map((value) => ({ value, label: text[value] }));

/** Runs a job again: a failed one on the server while its original is stored. Otherwise, the user adds it again. */
function useRerun(onProcess: () => void): (job: Job) => void {
  const addAgain = (job: Job, title: string) => {
    useBulkSettings.setState(settingsOfJob(job));
    showToast({ title, description: rerunSet.description(job.filename) });
    onProcess();
  };
  const retry = useResourceMutation({
    call: async ({ id }: Job) => (await api.retryJob({ params: { id } })).data,
    onSuccess: ({ filename }) => showToast({ title: retrying.title(filename) }),
    onError: (error, job) => {
      if (hasErrorCode(error, 'result_expired')) addAgain(job, retrying.deleted);
      else showErrorToast(retrying.failed, error);
    },
    invalidates: [activityKey, dashboardKey],
  });
  return (job) => (job.status === 'failed' ? retry.mutate(job) : addAgain(job, rerunSet.title));
}

export function DashboardActivity({ onProcess }: { onProcess: () => void }) {
  const [view, choose] = useSearchParam({ name: 'view', choices: views, fallback: 'images' });
  const rerun = useRerun(onProcess);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented legend={text.label} legendHidden options={options} value={view} onChange={choose} />
        {view === 'images' && <ActivityFilterFields />}
        {view === 'usage' && <UsageControls />}
        {view === 'units' && <p className="text-muted text-sm">{usageMessages.ledger.text}</p>}
      </div>
      {view === 'images' && <ActivityList onProcess={onProcess} onRerun={rerun} />}
      {view === 'usage' && <UsagePerDay />}
      {view === 'units' && <Ledger />}
    </div>
  );
}
