import type { ReactNode } from 'react';
import { PageHeading } from './page-heading.tsx';

/** A page with a single card. `title`: document title. */
export function CardPage({ title, heading, children }: { title: string; heading: string; children: ReactNode }) {
  return (
    <div className="grid w-full grow place-content-center grid-cols-[minmax(0,28rem)] px-4 py-10 sm:px-6 md:py-20">
      <section className="grid gap-5 rounded-card border border-line bg-surface p-5 sm:p-7">
        <PageHeading title={title} className="text-lg">
          {heading}
        </PageHeading>
        {children}
      </section>
    </div>
  );
}
