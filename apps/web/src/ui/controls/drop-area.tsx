import { CircleSlash, FolderOpen, ImageDown, ImageUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { type DropAreaOptions, type DropState, useDropArea } from '../../lib/images/use-drop-area.ts';
import { LogoMark } from '../layout/logo-mark.tsx';
import { buttonStyle } from './button.tsx';

const stateTexts: Partial<Record<DropState, string>> = {
  dialog: 'Choose a file in the dialog',
  dragging: 'Drop here',
  accepted: 'Drop to add',
  rejected: "This file type isn't supported",
};
const icons = {
  idle: ImageUp,
  focused: ImageUp,
  disabled: ImageUp,
  dialog: FolderOpen,
  dragging: ImageDown,
  rejected: CircleSlash,
};
export const dropFrames: Record<DropState, string> = {
  idle: 'border-dashed border-edge bg-surface hover:border-ink',
  disabled: 'border-dashed border-line bg-page text-muted',
  focused: 'border-solid border-ink bg-surface',
  dialog: 'border-solid border-edge bg-sunken',
  dragging: 'border-dashed border-ink bg-sunken',
  accepted: 'border-solid border-accent bg-sunken outline outline-accent',
  rejected: 'border-solid border-danger bg-surface outline outline-danger',
};

export function DropStateIcon({ state }: { state: DropState }) {
  if (state === 'accepted') return <LogoMark className="size-8 text-accent" />;
  const Icon = icons[state];
  const color = state === 'rejected' ? 'text-danger' : 'text-muted';
  return <Icon aria-hidden="true" strokeWidth={1.5} className={`size-8 ${color}`} />;
}

type DropFrameProps = Omit<ReturnType<typeof useDropArea>, 'open' | 'offer'> & {
  label: string;
  /** Content below the button. Its links and controls stay clickable. */
  children?: ReactNode;
};

/** The button covers the area, except for links and controls in `children`. */
export function DropFrame({ state, rootProps, inputProps, buttonProps, label, children }: DropFrameProps) {
  return (
    <div
      {...rootProps}
      data-state={state}
      className={`relative grid min-h-44 place-content-center justify-items-center gap-2 rounded-card border p-6 text-center transition-colors ${dropFrames[state]}`}
    >
      <input {...inputProps} aria-label={label} />
      <DropStateIcon state={state} />
      <button
        type="button"
        {...buttonProps}
        className={buttonStyle({
          look: 'secondary',
          className:
            'after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:outline-offset-2',
        })}
      >
        {stateTexts[state] ?? label}
      </button>
      {children && (
        <div className="pointer-events-none relative max-w-md text-muted text-sm [&_:is(a,button,input,label)]:pointer-events-auto">
          {children}
        </div>
      )}
    </div>
  );
}

type DropAreaProps = DropAreaOptions & Pick<DropFrameProps, 'label' | 'children'>;

export function DropArea({ label, children, ...options }: DropAreaProps) {
  const { state, rootProps, inputProps, buttonProps } = useDropArea(options);
  return <DropFrame {...{ state, rootProps, inputProps, buttonProps, label }}>{children}</DropFrame>;
}
