import { messages } from '../messages.ts';
import { PageHeading } from '../ui/page-heading.tsx';

/** What an account did, has left, and can do now. */
export function DashboardPage() {
  return (
    <div className="mx-auto w-full max-w-300 px-4 py-8 sm:px-6">
      <PageHeading title={messages.page.dashboard} className="text-xl">
        {messages.navigation.dashboard}
      </PageHeading>
    </div>
  );
}
