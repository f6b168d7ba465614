import { factorRange } from '@uprez/contracts/picture-formats';
import { retention } from '@uprez/contracts/plans';
import { Processor } from '../features/processor/processor.tsx';
import { useAuth } from '../features/session/auth-context.ts';
import { messages } from '../messages.ts';
import { PageHeading } from '../ui/page-heading.tsx';

const text = messages.landing;

export function LandingPage() {
  const { user } = useAuth();
  return (
    <>
      <section className="mx-auto w-full max-w-300 px-4 pt-8 pb-16 sm:px-6 sm:pt-14">
        <PageHeading title={messages.page.landing} className="max-w-2xl text-xl sm:text-2xl">
          {text.title}
        </PageHeading>
        <p className="mt-3 mb-8 max-w-2xl text-muted">{text.lead(factorRange.max, retention.resultMinutes / 60)}</p>
        <Processor user={user} aside={null} />
      </section>
    </>
  );
}
