import { lazy, Suspense } from 'react';
import { ActivityList } from '../features/activity/activity-list.tsx';
import { useUrlChoice } from '../lib/use-url-choice.ts';
import { activityMessages } from '../messages/dashboard.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Delayed, Skeleton } from '../ui/skeleton.tsx';

const UsagePerDay = lazy(async () => ({
  default: (await import('../features/usage/usage-per-day.tsx')).UsagePerDay,
}));
const Ledger = lazy(async () => ({ default: (await import('../features/usage/ledger.tsx')).Ledger }));

const text = activityMessages.views;
const views = ['pictures', 'usage', 'units'] as const;
const options = views.map((value) => ({ value, label: text[value] }));

/** What was done: the pictures, how many on each day, and the units they took. */
export function DashboardActivity({ onProcess }: { onProcess: () => void }) {
  const [view, choose] = useUrlChoice({ name: 'view', choices: views, fallback: 'pictures' });
  const switcher = <Segmented legend={text.label} legendHidden options={options} value={view} onChange={choose} />;
  return (
    <Suspense
      fallback={
        <Delayed>
          <Skeleton className="h-96 rounded-card" />
        </Delayed>
      }
    >
      {view === 'pictures' && <ActivityList switcher={switcher} onProcess={onProcess} />}
      {view === 'usage' && <UsagePerDay switcher={switcher} />}
      {view === 'units' && <Ledger switcher={switcher} />}
    </Suspense>
  );
}
