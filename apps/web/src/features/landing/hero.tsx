import { factorRange } from '@uprez/contracts/policy/images/image-formats';
import { maxPlanFactor, retention } from '@uprez/contracts/policy/plans/plans';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { messages } from '../../messages.ts';
import { PageHeading } from '../../ui/layout/page-heading.tsx';

const text = messages.landing;

/** `working`: whether an image has been chosen. */
export function Hero({ working, children }: { working: boolean; children: ReactNode }) {
  return (
    <section className={clsx('mx-auto w-full max-w-300 px-4 pb-16 sm:px-6', working ? 'pt-5' : 'pt-8 sm:pt-12')}>
      <PageHeading
        title={messages.page.landing}
        className={working ? 'mb-4 text-base max-sm:sr-only' : 'mb-3 text-xl sm:text-2xl'}
      >
        {text.title}
      </PageHeading>
      {!working && (
        <p className="mb-8 text-muted text-pretty">
          {text.lead(factorRange.webMax, maxPlanFactor, retention.resultMinutes / 60)}
        </p>
      )}
      {children}
    </section>
  );
}

/** Reserves space for the sections below the hero until they are loaded. */
export const SectionsFallback = () => <div className="min-h-dvh noscript:hidden" />;
