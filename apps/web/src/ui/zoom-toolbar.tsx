import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messages } from '../messages.ts';
import { Button } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

const text = messages.viewer;
const step = 1.5;

type ZoomToolbarProps = {
  percent: number;
  /** Zoom to a percentage about the middle of the view. */
  onZoom: (percent: number) => void;
  onFit: () => void;
};

function ZoomButton({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip text={name}>
      <Button look="ghost" aria-label={name} className="min-w-9 px-2 pointer-coarse:min-w-11" onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  );
}

/** The percentage, to read and to type. */
function PercentField({ percent, onZoom }: Pick<ZoomToolbarProps, 'percent' | 'onZoom'>) {
  const [draft, setDraft] = useState<string>();
  const commit = () => {
    const wanted = Number.parseFloat(draft ?? '');
    setDraft(undefined);
    if (wanted > 0) onZoom(wanted);
  };
  return (
    <input
      aria-label={text.percent}
      inputMode="numeric"
      value={draft ?? `${percent}%`}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      className="control w-16 rounded-control bg-transparent text-center text-sm tabular-nums hover:bg-sunken"
    />
  );
}

export function ZoomToolbar({ percent, onZoom, onFit }: ZoomToolbarProps) {
  return (
    <div
      role="toolbar"
      aria-label={text.toolbar}
      className="absolute inset-x-0 bottom-3 z-10 mx-auto flex w-fit items-center rounded-card border border-line bg-surface p-0.5"
    >
      <ZoomButton name={text.zoomOut} onClick={() => onZoom(percent / step)}>
        <Minus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </ZoomButton>
      <PercentField percent={percent} onZoom={onZoom} />
      <ZoomButton name={text.zoomIn} onClick={() => onZoom(percent * step)}>
        <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </ZoomButton>
      <div className="mx-1 h-5 w-px bg-line" />
      <ZoomButton name={text.fitHint} onClick={onFit}>
        {text.fit}
      </ZoomButton>
      <ZoomButton name={text.actualHint} onClick={() => onZoom(100)}>
        {text.actual}
      </ZoomButton>
    </div>
  );
}
