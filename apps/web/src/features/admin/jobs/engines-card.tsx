import { engineNames } from '@uprez/contracts/policy/engines';
import type { JobSettings } from '@uprez/contracts/schemas/job-settings';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { useMay } from '../frame/use-may.ts';
import { jobsMessages } from './messages.ts';
import type { Operation } from './operation-dialog.tsx';

const text = jobsMessages.engines;

type EnginesCardProps = { settings: JobSettings; onOperate: (operation: Operation) => void };

/** The engines, and whether their jobs start. */
export function EnginesCard({ settings: { pausedEngines }, onOperate }: EnginesCardProps) {
  const mayOperate = useMay('jobs.operate');
  return (
    <Card title={text.title}>
      <ul className="divide-y divide-line text-sm">
        {engineNames.map((name) => {
          const isPaused = pausedEngines.includes(name);
          return (
            <li key={name} className="flex min-h-11 flex-wrap items-center justify-between gap-3 py-1.5">
              <span className="flex flex-wrap items-center gap-2">
                {name}
                <Badge kind={isPaused ? 'warning' : 'success'}>{isPaused ? text.paused : text.running}</Badge>
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
