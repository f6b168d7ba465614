import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';

type DisclosureProps = { label: string; open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode };

/** `children` are rendered only while it is open. */
export function Disclosure({ label, open, onOpenChange, children }: DisclosureProps) {
  const id = useId();
  return (
    <div className="grid min-w-0 gap-3">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onOpenChange(!open)}
        className="inline-flex min-h-7 items-center gap-1 justify-self-start rounded-control pr-2 text-muted text-sm hover:text-ink pointer-coarse:min-h-11"
      >
        <ChevronRight
          aria-hidden="true"
          strokeWidth={1.75}
          className={`size-4 shrink-0 transition-[rotate] ${open ? 'rotate-90' : ''}`}
        />
        {label}
      </button>
      {open && (
        <div id={id} className="min-w-0 animate-fade-in">
          {children}
        </div>
      )}
    </div>
  );
}
