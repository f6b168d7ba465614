import type { EngineName } from '@uprez/contracts/policy/engines';
import type { ReactNode } from 'react';
import { formatDuration } from '../../../lib/format/format.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { LogoMark } from '../../../ui/layout/logo-mark.tsx';
import { processorMessages } from '../messages.ts';
import type { PatchResult, PatchResults } from './use-patches.ts';

const text = processorMessages.compare;

function Cell({ name, children, action }: { name: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <figure className="grid content-start gap-2">
      <div className="checkerboard grid aspect-square place-items-center overflow-hidden">{children}</div>
      <figcaption className="flex min-h-7 flex-wrap items-center justify-between gap-2 text-sm">
        {name}
        {action}
      </figcaption>
    </figure>
  );
}

function View({ engine, result }: { engine: EngineName; result: PatchResult }) {
  if (result.state === 'made') {
    return <img src={result.url} alt={text.patchOf(engine)} className="size-full object-contain" />;
  }
  if (result.state === 'failed') {
    return (
      <div className="p-3">
        <Notice kind="danger">{result.sentence}</Notice>
      </div>
    );
  }
  return <LogoMark animated className="size-8 text-muted" />;
}

type PatchGridProps = { original: string; results: PatchResults; onUse: (engine: EngineName) => void };

export function PatchGrid({ original, results, onUse }: PatchGridProps) {
  const made = Object.entries(results) as [EngineName, PatchResult][];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Cell name={text.original}>
        <img src={original} alt={text.original} className="size-full object-contain" />
      </Cell>
      {made.map(([engine, result]) => (
        <Cell
          key={engine}
          name={
            <span>
              <span className="font-medium">{engine}</span>
              {result.state === 'made' && (
                <span className="text-muted tabular-nums">{` ${text.seconds(formatDuration(result.ms))}`}</span>
              )}
            </span>
          }
          action={
            result.state === 'made' && (
              <Button look="secondary" size="small" onClick={() => onUse(engine)}>
                {text.use(engine)}
              </Button>
            )
          }
        >
          <View engine={engine} result={result} />
        </Cell>
      ))}
    </div>
  );
}
