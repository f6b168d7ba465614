import { ActivityFilter, ActivityList } from '../features/activity/activity-list.tsx';
import { activityMessages } from '../features/activity/messages.ts';
import { Ledger } from '../features/usage/ledger.tsx';
import { usageMessages } from '../features/usage/messages.ts';
import { UsageControls, UsagePerDay } from '../features/usage/usage-per-day.tsx';
import { useSearchParam } from '../lib/browser/use-search-param.ts';
import { Segmented } from '../ui/controls/segmented.tsx';

const text = activityMessages.views;
const views = ['images', 'usage', 'units'] as const;
const options = views.map((value) => ({ value, label: text[value] }));

export function DashboardActivity({ onProcess }: { onProcess: () => void }) {
  const [view, choose] = useSearchParam({ name: 'view', choices: views, fallback: 'images' });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented legend={text.label} legendHidden options={options} value={view} onChange={choose} />
        {view === 'images' && <ActivityFilter />}
        {view === 'usage' && <UsageControls />}
        {view === 'units' && <p className="text-muted text-sm">{usageMessages.ledger.text}</p>}
      </div>
      {view === 'images' && <ActivityList onProcess={onProcess} />}
      {view === 'usage' && <UsagePerDay />}
      {view === 'units' && <Ledger />}
    </div>
  );
}
