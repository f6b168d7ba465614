import { Columns2, Eye, type LucideIcon, Minus, Plus, SquareSplitHorizontal } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { Tooltip } from '../controls/tooltip.tsx';

const text = {
  toolbar: 'Zoom and view',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  percent: 'Zoom in percent',
  fit: 'Fit',
  fitHint: 'Fit image to view',
  actual: '1:1',
  actualHint: 'Zoom to 100%',
  split: 'Side by side',
  slider: 'Divider',
  hold: 'Hold to show original',
} as const;

const isPress = ({ key }: KeyboardEvent) => key === ' ' || key === 'Enter';

function HoldButton({ label, icon, onHold }: { label: string; icon: LucideIcon; onHold: (held: boolean) => void }) {
  const release = () => onHold(false);
  return (
    <IconButton
      label={label}
      icon={icon}
      onPointerDown={() => onHold(true)}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onKeyDown={(event) => isPress(event) && onHold(true)}
      onKeyUp={release}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
      className="touch-none"
    />
  );
}

const step = 1.5;
const actualPercent = 100;

type ZoomToolbarProps = {
  percent: number;
  onZoom: (percent: number) => void;
  onFit: () => void;
  isSplit: boolean;
  onView: () => void;
  onHold: (held: boolean) => void;
};

function ZoomButton({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip text={name}>
      <Button look="ghost" aria-label={name} className="min-w-9 px-2! pointer-coarse:min-w-11" onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  );
}

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
      className="control w-14 rounded-control bg-transparent text-center text-sm tabular-nums hover:bg-sunken"
    />
  );
}

export function ZoomToolbar({ percent, onZoom, onFit, isSplit, onView, onHold }: ZoomToolbarProps) {
  const zoomIn = () => onZoom(percent * step);
  const zoomOut = () => onZoom(percent / step);
  const showActual = () => onZoom(actualPercent);
  useShortcut('zoomIn', zoomIn);
  useShortcut('zoomOut', zoomOut);
  useShortcut('fit', onFit);
  useShortcut('actual', showActual);
  return (
    <div
      role="toolbar"
      aria-label={text.toolbar}
      className="absolute inset-x-0 bottom-3 z-10 mx-auto flex w-fit items-center rounded-card border border-line bg-surface p-0.5"
    >
      <div className="contents max-sm:hidden">
        <IconButton label={text.zoomOut} icon={Minus} onClick={zoomOut} />
      </div>
      <PercentField percent={percent} onZoom={onZoom} />
      <div className="contents max-sm:hidden">
        <IconButton label={text.zoomIn} icon={Plus} onClick={zoomIn} />
      </div>
      <div className="mx-1 h-5 w-px bg-line" />
      <ZoomButton name={text.fitHint} onClick={onFit}>
        {text.fit}
      </ZoomButton>
      <ZoomButton name={text.actualHint} onClick={showActual}>
        {text.actual}
      </ZoomButton>
      <div className="mx-1 h-5 w-px bg-line" />
      <IconButton
        label={isSplit ? text.slider : text.split}
        icon={isSplit ? SquareSplitHorizontal : Columns2}
        onClick={onView}
      />
      {!isSplit && <HoldButton label={text.hold} icon={Eye} onHold={onHold} />}
    </div>
  );
}
