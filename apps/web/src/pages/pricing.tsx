import { messages } from '../messages.ts';
import { PageHeading } from '../ui/page-heading.tsx';

/** What each plan costs and gives. */
export function PricingPage() {
  return (
    <div className="mx-auto w-full max-w-300 px-4 py-10 sm:px-6 md:py-16">
      <PageHeading title={messages.page.pricing} className="text-xl">
        {messages.navigation.pricing}
      </PageHeading>
    </div>
  );
}
