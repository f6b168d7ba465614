import { ExternalLink } from 'lucide-react';
import { paths } from '../../../site-map.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { adminMessages } from '../messages.ts';

const text = adminMessages.quickActions;

/** Shortcuts to frequent tasks: only those whose page exists. */
export function QuickActions({ label }: { label: string }) {
  return (
    <section aria-labelledby={label} className="grid gap-1 border-line border-t pt-4">
      <h2 id={label} className="px-3 font-medium text-muted text-xs">
        {text.title}
      </h2>
      <a
        href={paths.home}
        target="_blank"
        rel="noopener"
        className={buttonStyle({ look: 'ghost', className: 'w-full justify-start px-3' })}
      >
        <ExternalLink aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.viewSite}
        <span className="sr-only">{text.newTab}</span>
      </a>
    </section>
  );
}
