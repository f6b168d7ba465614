import type { JobOverview } from '@uprez/contracts/schemas/admin-jobs';
import { formatTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { useMay } from '../frame/use-may.ts';
import { jobsMessages } from './messages.ts';
import type { Operation } from './operation-dialog.tsx';

const text = jobsMessages.workers;

type Worker = JobOverview['workers'][number];
type Operate = { onOperate: (operation: Operation) => void };

type Drain = { name: string; isDrained: boolean; workers: number } & Operate;

/** Drains or resumes the workers of a name. `workers`: how many live ones have it. */
function DrainButton({ name, isDrained, workers, onOperate }: Drain) {
  if (!useMay('jobs.operate')) return null;
  return (
    <Button
      look="secondary"
      size="small"
      aria-label={isDrained ? text.resumeOf(name) : text.drainOf(name)}
      onClick={() => onOperate({ kind: isDrained ? 'resumeWorker' : 'drain', name, workers })}
    >
      {isDrained ? text.resume : text.drain}
    </Button>
  );
}

/** `worker`: undefined for a drained name without a running worker. */
function WorkerItem({ worker, ...drain }: Drain & { worker?: Worker }) {
  const { name, isDrained } = drain;
  const state = worker ? (worker.isLive ? 'live' : 'silent') : 'absent';
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
          <span className="font-medium wrap-anywhere">{name}</span>
          <Badge kind={state === 'live' ? 'success' : 'neutral'}>{text[state]}</Badge>
          {(isDrained || worker?.isDraining) && <Badge kind="warning">{text.drained}</Badge>}
        </span>
        <DrainButton {...drain} />
      </div>
      {worker && (
        <FactGrid
          facts={[
            [text.slots, text.slotsOf(worker.busySlots, worker.slots)],
            [text.engines, worker.engines.join(', ')],
            [text.device, worker.device],
            ...(worker.pool === null ? [] : [[text.pool, worker.pool] as const]),
            [text.lastSign, formatTime(worker.lastSignAt)],
            [text.started, formatTime(worker.startedAt)],
          ]}
        />
      )}
    </li>
  );
}

/** The workers of the last hour, and drained names without one. */
export function WorkersCard({ overview, onOperate }: { overview: JobOverview } & Operate) {
  const { settings, workers } = overview;
  const { drainsAll, drainedWorkers } = settings;
  const mayOperate = useMay('jobs.operate');
  const absent = drainedWorkers.filter((name) => workers.every((worker) => worker.name !== name));
  return (
    <Card
      title={text.title}
      actions={
        mayOperate && (
          <Button
            look="secondary"
            size="small"
            onClick={() => onOperate({ kind: drainsAll ? 'resumeAll' : 'drainAll' })}
          >
            {drainsAll ? text.resumeAll : text.drainAll}
          </Button>
        )
      }
    >
      {drainsAll && <Notice kind="warning">{text.allDrained}</Notice>}
      {workers.length === 0 && <p className="text-muted text-sm">{text.none}</p>}
      {workers.length + absent.length > 0 && (
        <ul className="divide-y divide-line">
          {workers.map((worker) => (
            <WorkerItem
              key={worker.id}
              name={worker.name}
              worker={worker}
              isDrained={drainedWorkers.includes(worker.name)}
              workers={workers.filter(({ name, isLive }) => isLive && name === worker.name).length}
              onOperate={onOperate}
            />
          ))}
          {absent.map((name) => (
            <WorkerItem key={name} name={name} isDrained workers={0} onOperate={onOperate} />
          ))}
        </ul>
      )}
    </Card>
  );
}
