import { engineNames, isCustomEngine, type JobEngine } from '@uprez/contracts/policy/images/engines';
import { type JobOverview, retryJobBodySchema } from '@uprez/contracts/schemas/admin/jobs';
import { useState } from 'react';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactGrid } from '../../../ui/layout/fact-grid.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { jobsMessages } from './messages.ts';
import { operationMessages, optionalReasonField } from './operation-messages.ts';
import { OverviewCard } from './overview-card.tsx';
import { PoolsCard } from './pools-card.tsx';
import { overviewKey, useOverview } from './queries.ts';

export function QueueOverview() {
  const query = useOverview();
  const [operation, setOperation] = useState<Operation>();
  return (
    <>
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(overview) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <OverviewCard overview={overview} />
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
              <EnginesCard overview={overview} onOperate={setOperation} />
              <WorkersCard overview={overview} onOperate={setOperation} />
            </div>
            <PoolsCard />
          </div>
        )}
      </QueryView>
      {operation && <OperationDialog operation={operation} onClose={() => setOperation(undefined)} />}
    </>
  );
}

const workersText = jobsMessages.workers;

type WorkerView = JobOverview['workers'][number];

type OperateProps = { onOperate: (operation: Operation) => void };

type DrainProps = { name: string; isDrained: boolean; workers: number } & OperateProps;

/** `workers`: the number of live workers with that name. */
function DrainButton({ name, isDrained, workers, onOperate }: DrainProps) {
  if (!useHasPermission('jobs.operate')) return null;
  return (
    <Button
      look="secondary"
      size="small"
      aria-label={isDrained ? workersText.resumeOf(name) : workersText.drainOf(name)}
      onClick={() => onOperate({ kind: isDrained ? 'resumeWorker' : 'drain', name, workers })}
    >
      {isDrained ? workersText.resume : workersText.drain}
    </Button>
  );
}

/** `worker` is undefined for a drained name that no recent worker has. */
function WorkerItem({ worker, ...drain }: DrainProps & { worker?: WorkerView }) {
  const { name, isDrained } = drain;
  const state = worker ? (worker.isLive ? 'live' : 'silent') : 'absent';
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
          <span className="font-medium wrap-anywhere">{name}</span>
          <Badge kind={state === 'live' ? 'success' : 'neutral'}>{workersText[state]}</Badge>
          {(isDrained || worker?.isDraining) && <Badge kind="warning">{workersText.drained}</Badge>}
        </span>
        <DrainButton {...drain} />
      </div>
      {worker && (
        <FactGrid
          facts={[
            [workersText.slots, workersText.slotsOf(worker.busySlots, worker.slots)],
            [workersText.engines, worker.engines.join(', ')],
            [workersText.device, worker.device],
            ...(worker.pool === null ? [] : [[workersText.pool, worker.pool] as const]),
            [workersText.lastSign, formatDateTime(worker.lastSignAt)],
            [workersText.started, formatDateTime(worker.startedAt)],
          ]}
        />
      )}
    </li>
  );
}

/** Shows the workers seen in the last hour, and the drained names that none of them has. */
function WorkersCard({ overview, onOperate }: { overview: JobOverview } & OperateProps) {
  const { settings, workers } = overview;
  const { drainsAll, drainedWorkers } = settings;
  const mayOperate = useHasPermission('jobs.operate');
  const absent = drainedWorkers.filter((name) => workers.every((worker) => worker.name !== name));
  return (
    <Card
      title={workersText.title}
      actions={
        mayOperate && (
          <Button
            look="secondary"
            size="small"
            onClick={() => onOperate({ kind: drainsAll ? 'resumeAll' : 'drainAll' })}
          >
            {drainsAll ? workersText.resumeAll : workersText.drainAll}
          </Button>
        )
      }
    >
      {drainsAll && <Notice kind="warning">{workersText.allDrained}</Notice>}
      {workers.length === 0 && <p className="text-muted text-sm">{workersText.none}</p>}
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

const text = jobsMessages.engines;

type EngineState = 'paused' | 'running' | 'unserved';

const kinds = { paused: 'warning', running: 'success', unserved: 'neutral' } as const;

/** Returns the state of an engine. Its jobs start only if it isn't paused and a live worker offers it. */
function toEngineState(name: string, { settings, workers }: JobOverview): EngineState {
  if (settings.pausedEngines.some((paused) => paused === name)) return 'paused';
  return workers.some(({ isLive, engines }) => isLive && engines.includes(name)) ? 'running' : 'unserved';
}

/** Returns the built-in engines, and the custom engines that are paused or that a worker has. */
function listEngines({ settings, workers }: JobOverview): JobEngine[] {
  const custom = [...workers.flatMap(({ engines }) => engines), ...settings.pausedEngines].filter(isCustomEngine);
  return [...engineNames, ...new Set(custom.toSorted())];
}

type EnginesCardProps = { overview: JobOverview; onOperate: (operation: Operation) => void };

function EnginesCard({ overview, onOperate }: EnginesCardProps) {
  const mayOperate = useHasPermission('jobs.operate');
  return (
    <Card title={text.title}>
      <ul className="divide-y divide-line text-sm">
        {listEngines(overview).map((name) => {
          const state = toEngineState(name, overview);
          const isPaused = state === 'paused';
          return (
            <li key={name} className="flex min-h-11 flex-wrap items-center justify-between gap-3 py-1.5">
              <span className="flex flex-wrap items-center gap-2">
                {name}
                <Badge kind={kinds[state]}>{text[state]}</Badge>
              </span>
              {mayOperate && (
                <Button
                  look="secondary"
                  size="small"
                  aria-label={isPaused ? text.resumeOf(name) : text.pauseOf(name)}
                  onClick={() => onOperate({ kind: isPaused ? 'resume' : 'pause', name })}
                >
                  {isPaused ? text.resume : text.pause}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** `workers`: the number of live workers with that name. */
type Operation =
  | { kind: 'pause' | 'resume'; name: JobEngine }
  | { kind: 'drainAll' | 'resumeAll'; name?: undefined }
  | { kind: 'drain' | 'resumeWorker'; name: string; workers: number };

async function sendOperation({ kind, name }: Operation, body: { reason?: string | undefined }): Promise<unknown> {
  if (name === undefined) return adminApi.adminDrainWorkers({ body: { draining: kind === 'drainAll', ...body } });
  const params = { id: name };
  return kind === 'pause' || kind === 'resume'
    ? adminApi.adminPauseEngine({ params, body: { paused: kind === 'pause', ...body } })
    : adminApi.adminDrainWorker({ params, body: { draining: kind === 'drain', ...body } });
}

const stoppingOperations: readonly Operation['kind'][] = ['pause', 'drainAll', 'drain'];

/** Describes the consequence of an operation. If several workers share the name, adds that all of them are affected. */
export function describeOperation(operation: Operation): string {
  const { description } = operationMessages[operation.kind];
  if (!('workers' in operation) || operation.workers < 2) return description;
  return `${description} ${operationMessages.shared(operation.workers, operation.name)}`;
}

/** Shows a toast if another administrator changed the state first. */
function OperationDialog({ operation, onClose }: { operation: Operation; onClose: () => void }) {
  const { kind, name = '' } = operation;
  const text = operationMessages[kind];
  return (
    <FormCallDialog
      text={{ ...text, title: text.title(name), text: describeOperation(operation) }}
      look={stoppingOperations.includes(kind) ? 'danger' : 'primary'}
      schema={retryJobBodySchema}
      initial={{}}
      fields={[optionalReasonField]}
      call={async (body) => {
        try {
          await sendOperation(operation, body);
          return { title: text.done };
        } catch (error) {
          if (!hasErrorCode(error, 'operations_changed')) throw error;
          return { ...operationMessages.changed, destructive: true };
        }
      }}
      refreshes={[overviewKey]}
      done={(toast) => toast}
      onClose={onClose}
    />
  );
}
