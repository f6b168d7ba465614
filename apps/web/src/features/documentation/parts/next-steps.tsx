import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { documentationMessages } from '../messages.ts';

const { links, files } = documentationMessages.next;

export function NextSteps() {
  return (
    <>
      <ul className="grid gap-3 sm:grid-cols-2">
        {links.map(([label, to, description]) => (
          <li key={to}>
            <Link
              to={to}
              className="group grid h-full content-start gap-1 rounded-card border border-line bg-surface p-4 hover:border-edge"
            >
              <span className="flex items-center justify-between gap-2 font-medium text-sm">
                {label}
                <ArrowRight aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted" />
              </span>
              <span className="text-muted text-sm">{description}</span>
            </Link>
          </li>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {files.map(([label, href]) => (
          <li key={href}>
            <a href={href} className="underline decoration-edge underline-offset-2 hover:decoration-current">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
