import { Columns2, Contrast, Eye, type LucideIcon, Minus, Plus, SquareSplitHorizontal } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { Tooltip } from '../controls/tooltip.tsx';
import { actualPercent } from './zoom.tsx';

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
  difference: 'Show difference',
} as const;

const isActivationKey = ({ key }: KeyboardEvent) => key === ' ' || key === 'Enter';

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
      onKeyDown={(event) => isActivationKey(event) && onHold(true)}
      onKeyUp={release}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
      className="touch-none"
    />
  );
}

const zoomStep = 1.5;
const panStep = 0.25;

export type ViewMode = 'divider' | 'split' | 'difference';

type ZoomControlsProps = {
  percent: number;
  onZoom: (percent: number) => void;
  onFit: () => void;
  /** Moves the view by fractions of its width and height. */
  onPan: (x: number, y: number) => void;
};
type ZoomToolbarProps = ZoomControlsProps & {
  view: ViewMode;
  onToggle: (view: ViewMode) => void;
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

function PercentField({ percent, onZoom }: Pick<ZoomControlsProps, 'percent' | 'onZoom'>) {
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

function ZoomControls({ percent, onZoom, onFit, onPan }: ZoomControlsProps) {
  const zoomIn = () => onZoom(percent * zoomStep);
  const zoomOut = () => onZoom(percent / zoomStep);
  const showActual = () => onZoom(actualPercent);
  useShortcut('zoomIn', zoomIn);
  useShortcut('zoomOut', zoomOut);
  useShortcut('fit', onFit);
  useShortcut('actual', showActual);
  useShortcut('panLeft', () => onPan(-panStep, 0));
  useShortcut('panRight', () => onPan(panStep, 0));
  useShortcut('panUp', () => onPan(0, -panStep));
  useShortcut('panDown', () => onPan(0, panStep));
  return (
    <>
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
    </>
  );
}

const barStyle = 'flex w-fit items-center rounded-card border border-line bg-surface p-0.5';

export function ZoomBar(controls: ZoomControlsProps) {
  return (
    <div role="toolbar" aria-label={text.toolbar} className={barStyle}>
      <ZoomControls {...controls} />
    </div>
  );
}

export function ZoomToolbar({ view, onToggle, onHold, ...controls }: ZoomToolbarProps) {
  const isSplit = view === 'split';
  return (
    <div role="toolbar" aria-label={text.toolbar} className={`${barStyle} absolute inset-x-0 bottom-3 z-10 mx-auto`}>
      <ZoomControls {...controls} />
      <div className="mx-1 h-5 w-px bg-line" />
      <IconButton
        label={isSplit ? text.slider : text.split}
        icon={isSplit ? SquareSplitHorizontal : Columns2}
        onClick={() => onToggle('split')}
      />
      <IconButton
        label={text.difference}
        icon={Contrast}
        aria-pressed={view === 'difference'}
        className="aria-pressed:bg-sunken"
        onClick={() => onToggle('difference')}
      />
      {!isSplit && <HoldButton label={text.hold} icon={Eye} onHold={onHold} />}
    </div>
  );
}
