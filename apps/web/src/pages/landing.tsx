import { factorRange } from '@uprez/contracts/picture-formats';
import { retention } from '@uprez/contracts/plans';
import clsx from 'clsx';
import { FeatureList } from '../features/landing/feature-list.tsx';
import { SampleView } from '../features/landing/sample-view.tsx';
import { Processor } from '../features/processor/processor.tsx';
import { isWorking, useProcessor } from '../features/processor/processor-store.ts';
import { useAuth } from '../features/session/auth-context.ts';
import { messages } from '../messages.ts';
import { PageHeading } from '../ui/page-heading.tsx';

const text = messages.landing;

/** The processor with a finished example beside it; both texts step back once a picture is chosen. */
export function LandingPage() {
  const { user } = useAuth();
  const working = useProcessor(isWorking);
  return (
    <>
      <section className={clsx('mx-auto w-full max-w-300 px-4 pb-16 sm:px-6', working ? 'pt-5' : 'pt-8 sm:pt-14')}>
        <PageHeading
          title={messages.page.landing}
          className={working ? 'mb-4 text-base max-sm:sr-only' : 'mb-3 max-w-2xl text-xl sm:text-2xl'}
        >
          {text.title}
        </PageHeading>
        {!working && (
          <p className="mb-8 max-w-2xl text-muted">{text.lead(factorRange.webMax, retention.resultMinutes / 60)}</p>
        )}
        <Processor user={user} aside={<SampleView />} />
      </section>
      <FeatureList id="features" />
    </>
  );
}
