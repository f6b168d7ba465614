import { useQueryClient } from '@tanstack/react-query';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { TriangleAlert } from 'lucide-react';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { billingKey } from '../../lib/billing/use-billing.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { focusContent } from '../../lib/layout/focus.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { shareUserChange } from '../../lib/session/session-lifecycle.ts';
import { Button } from '../../ui/controls/button.tsx';
import { accountMessages } from './messages.ts';

/**
 * Describes what happens to an account's plan if the account is kept. Returns undefined without a plan that ends or
 * renews.
 */
export function describeKeptPlan({
  subscription,
  nextBill,
}: Pick<Billing, 'subscription' | 'nextBill'>): string | undefined {
  if (!subscription) return undefined;
  const { name } = currentPlans[subscription.plan.tier];
  if (subscription.cancelAt) return text.endingPlan(name, formatDay(subscription.cancelAt));
  return nextBill?.reason === 'renewal' ? text.keptPlan(name, formatDay(nextBill.at)) : undefined;
}

const text = accountMessages.deletion;
/** Focuses the button, which scrolls to the banner. The section that had the focus is no longer on the page. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

type DeletionBannerProps = {
  deletesAt: string;
  /** Whether the deletion was just requested. If so, the button takes the focus. */
  isNew: boolean;
};

export function DeletionBanner({ deletesAt, isNew }: DeletionBannerProps) {
  const queryClient = useQueryClient();
  const keep = useResourceMutation({
    call: async () => {
      const { data: user } = await api.keepAccount();
      const billing = await api.billing().catch(() => undefined);
      return { user, billing: billing?.data };
    },
    onSuccess: ({ user, billing }) => {
      queryClient.setQueryData(userKey, user);
      if (billing) queryClient.setQueryData(billingKey, billing);
      shareUserChange();
      showToast({ title: text.kept, description: billing && describeKeptPlan(billing) });
      focusContent();
    },
    errorTitle: text.keepFailed,
  });
  return (
    <section
      aria-label={text.banner}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-line border-b bg-sunken px-4 py-2 text-sm"
    >
      <p className="flex items-center gap-2">
        <TriangleAlert aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-warning" />
        {text.notice(formatDateTime(deletesAt))}
      </p>
      <Button
        ref={isNew ? focus : undefined}
        look="secondary"
        size="small"
        pending={keep.isPending}
        onClick={() => keep.mutate()}
      >
        {text.keep}
      </Button>
    </section>
  );
}
