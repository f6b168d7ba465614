import { CircleSlash, FolderOpen, ImageDown, ImageUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DropState } from '../lib/drop-rejection.ts';
import { type DropAreaOptions, useDropArea } from '../lib/use-drop-area.ts';
import { uiMessages } from '../messages/ui.ts';
import { LogoMark } from './logo-mark.tsx';

type DropAreaProps = DropAreaOptions & {
  /** What its button says. */
  label: string;
  /** More below the button: links and controls in it work. */
  children?: ReactNode;
};

const icons = {
  idle: ImageUp,
  focused: ImageUp,
  disabled: ImageUp,
  dialog: FolderOpen,
  dragging: ImageDown,
  rejected: CircleSlash,
};
const { dialog, dragging, accepted, rejected } = uiMessages.dropArea;
const lines: Partial<Record<DropState, string>> = { dialog, dragging, accepted, rejected };

/** The shape of a state: coarse pixels resolve where the drop will be taken. */
function StateIcon({ state }: { state: DropState }) {
  if (state === 'accepted') return <LogoMark className="size-8 text-accent" />;
  const Icon = icons[state];
  return (
    <Icon aria-hidden="true" strokeWidth={1.5} className="size-8 text-muted group-data-[state=rejected]:text-danger" />
  );
}

/** Where files are dropped, or picked with its button. Its state shows in frame, icon and words. */
export function DropArea({ label, children, ...options }: DropAreaProps) {
  const { state, rootProps, inputProps, buttonProps } = useDropArea(options);
  const line = lines[state];
  return (
    <div
      {...rootProps}
      data-state={state}
      className="group relative grid min-h-44 place-content-center justify-items-center gap-3 rounded-card border border-edge border-dashed bg-surface p-6 text-center transition-colors hover:border-ink data-[state=accepted]:border-2 data-[state=accepted]:border-accent data-[state=accepted]:bg-sunken data-[state=dialog]:border-ink data-[state=dialog]:border-solid data-[state=dialog]:bg-sunken data-[state=disabled]:border-line data-[state=disabled]:opacity-60 data-[state=dragging]:border-2 data-[state=dragging]:border-ink data-[state=focused]:border-ink data-[state=focused]:border-solid data-[state=rejected]:border-2 data-[state=rejected]:border-danger"
    >
      <input {...inputProps} aria-label={label} />
      <StateIcon state={state} />
      <button
        type="button"
        {...buttonProps}
        className="control rounded-control px-4 font-medium text-sm underline decoration-edge underline-offset-4 after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:outline-offset-2"
      >
        {line ?? label}
      </button>
      {children && (
        <div className="pointer-events-none relative max-w-md text-muted text-sm *:[a,button,label]:pointer-events-auto [&_:is(a,button,input,label)]:pointer-events-auto">
          {children}
        </div>
      )}
    </div>
  );
}
