import { engineNames } from '@uprez/contracts/policy/engines';
import type { JobOverview } from '@uprez/contracts/schemas/admin-jobs';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { useMay } from '../frame/use-may.ts';
import { jobsMessages } from './messages.ts';
import type { Operation } from './operation-dialog.tsx';

const text = jobsMessages.engines;

type EngineState = 'paused' | 'running' | 'unserved';
const kinds = { paused: 'warning', running: 'success', unserved: 'neutral' } as const;

/** Whether the jobs of an engine start: not without a live worker that has it. */
function stateOf(name: string, { settings, workers }: JobOverview): EngineState {
  if (settings.pausedEngines.some((paused) => paused === name)) return 'paused';
  return workers.some(({ isLive, engines }) => isLive && engines.includes(name)) ? 'running' : 'unserved';
}

type EnginesCardProps = { overview: JobOverview; onOperate: (operation: Operation) => void };

/** The engines, and whether their jobs start. */
export function EnginesCard({ overview, onOperate }: EnginesCardProps) {
  const mayOperate = useMay('jobs.operate');
  return (
    <Card title={text.title}>
      <ul className="divide-y divide-line text-sm">
        {engineNames.map((name) => {
          const state = stateOf(name, overview);
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
