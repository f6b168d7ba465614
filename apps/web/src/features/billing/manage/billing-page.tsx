import type { User } from '@uprez/contracts/schemas/user';
import { messages } from '../../../messages.ts';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { useIsDark } from '../../theme/theme-switch.tsx';
import { billingMessages } from '../messages.ts';
import { Manage } from './manage.tsx';

/** The billing page: plan, changes, payment method, and invoices. */
export function BillingPage({ user }: { user: User }) {
  const isDark = useIsDark();
  return (
    <div className="mx-auto grid w-full max-w-220 grid-cols-[minmax(0,1fr)] gap-5 px-4 py-10 sm:px-6 md:py-16">
      <PageHeading title={messages.page.billing} className="text-xl">
        {billingMessages.page.title}
      </PageHeading>
      <Manage isDark={isDark} deletesAt={user.deletesAt} />
    </div>
  );
}
