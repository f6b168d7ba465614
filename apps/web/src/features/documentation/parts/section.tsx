import { ArrowRight, Link as LinkIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { documentationMessages as text } from '../messages.ts';
import { type SectionId, titleOf } from '../outline-data.ts';

export function Section({ id, aside, children }: { id: SectionId; aside?: ReactNode; children: ReactNode }) {
  const title = titleOf(id);
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-5 border-line border-t py-8 first:border-t-0 first:pt-0 xl:data-[aside]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
      data-aside={aside ? '' : undefined}
    >
      <div className="grid min-w-0 content-start gap-4">
        <h2 id={`${id}-title`} className="group flex min-w-0 items-center gap-1 text-lg">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          <Link
            to={`#${id}`}
            aria-label={text.linkTo(title)}
            className="grid size-7 shrink-0 place-items-center rounded-small text-muted opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:hidden"
          >
            <LinkIcon aria-hidden="true" strokeWidth={1.75} className="size-4" />
          </Link>
        </h2>
        {children}
      </div>
      {aside && <div className="grid min-w-0 content-start gap-4 self-start xl:sticky xl:top-20">{aside}</div>}
    </section>
  );
}

export function NextStep({ to, title, children }: { to: string; title: string; children: ReactNode }) {
  return (
    <li>
      <Link
        to={to}
        className="group grid h-full content-start gap-1 rounded-card border border-line bg-surface p-4 hover:border-edge"
      >
        <span className="flex items-center justify-between gap-2 font-medium text-sm">
          {title}
          <ArrowRight aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted" />
        </span>
        <span className="text-muted text-sm">{children}</span>
      </Link>
    </li>
  );
}
