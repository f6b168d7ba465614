import { factorRange } from '@uprez/contracts/policy/image-formats';
import { retention } from '@uprez/contracts/policy/plans';
import clsx from 'clsx';
import { lazy, Suspense } from 'react';
import { SampleView } from '../features/landing/sample-view.tsx';
import { Processor } from '../features/processor/processor.tsx';
import { chooseImage } from '../features/processor/source/choose-image.ts';
import { isWorking, useProcessor } from '../features/processor/state/processor-store.ts';
import { useAuth } from '../features/session/auth-provider.tsx';
import { messages } from '../messages.ts';
import { PageHeading } from '../ui/layout/page-heading.tsx';

const text = messages.landing;
const LandingSections = lazy(async () => ({ default: (await import('./landing-sections.tsx')).LandingSections }));

/** The processor with samples. The texts shrink once an image is chosen. */
export function LandingPage() {
  const { user } = useAuth();
  const working = useProcessor(isWorking);
  return (
    <>
      <section className={clsx('mx-auto w-full max-w-300 px-4 pb-16 sm:px-6', working ? 'pt-5' : 'pt-8 sm:pt-12')}>
        <PageHeading
          title={messages.page.landing}
          className={working ? 'mb-4 text-base max-sm:sr-only' : 'mb-3 text-xl sm:text-2xl'}
        >
          {text.title}
        </PageHeading>
        {!working && (
          <p className="mb-8 text-muted text-pretty">{text.lead(factorRange.webMax, retention.resultMinutes / 60)}</p>
        )}
        <Processor user={user} aside={<SampleView onOpen={(file) => void chooseImage(file)} />} />
      </section>
      <Suspense fallback={<div className="min-h-dvh" />}>
        <LandingSections />
      </Suspense>
    </>
  );
}
