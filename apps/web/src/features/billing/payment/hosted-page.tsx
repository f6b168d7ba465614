import { api } from '../../../lib/api/api.ts';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showCheckoutError } from '../../../lib/billing/show-checkout-error.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { billingMessages } from '../messages.ts';

type HostedPageProps = {
  priceId: string;
  coupon: string | null;
  /** Asked when the account has a subscription. If so, no error is shown. */
  isSettled: () => Promise<boolean>;
};

/** Offers the provider's own page where the form can't be loaded. */
export function HostedPage({ priceId, coupon, isSettled }: HostedPageProps) {
  const open = useResourceMutation({
    call: async () => (await api.createCheckoutSession({ body: { priceId, ...(coupon && { coupon }) } })).data,
    onSuccess: ({ url }) => window.location.assign(url),
    onError: async (error) => {
      const isSubscribed = hasErrorCode(error, 'already_subscribed') && (await isSettled().catch(() => false));
      if (!isSubscribed) showCheckoutError(error);
    },
  });
  return (
    <div className="grid gap-4">
      <Notice kind="warning">{billingMessages.payment.notLoaded}</Notice>
      <Button size="wide" pending={open.isPending} onClick={() => open.mutate()}>
        {billingMessages.subscribe.hosted}
      </Button>
    </div>
  );
}
