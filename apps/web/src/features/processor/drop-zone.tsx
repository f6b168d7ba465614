import { limits } from '@uprez/contracts/limits';
import { ImageUp } from 'lucide-react';
import { messages } from '../../messages.ts';
import { buttonStyle } from '../../ui/button.tsx';

const text = messages.processor;

/** The place to start: a button that opens the picker; dropping and pasting work anywhere. */
export function DropZone({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="group grid h-full min-h-72 w-full place-content-center justify-items-center gap-4 rounded-card border border-edge border-dashed bg-surface p-6 text-center transition-colors hover:border-ink"
    >
      <ImageUp aria-hidden="true" strokeWidth={1.5} className="size-8 text-muted" />
      <span className={buttonStyle({ className: 'group-hover:bg-accent-strong' })}>{text.choose}</span>
      <span className="grid gap-1 text-sm">
        <span>{text.dropOrPaste}</span>
        <span className="text-muted">{text.accepted(limits.uploadBytes)}</span>
      </span>
    </button>
  );
}
