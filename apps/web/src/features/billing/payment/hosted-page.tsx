import { api } from '../../../lib/api/api.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showCheckoutError } from '../../../lib/billing/show-checkout-error.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { billingMessages } from '../messages.ts';

/** Offers the provider's own page where the form can't be loaded. */
export function HostedPage({ priceId, coupon }: { priceId: string; coupon: string | null }) {
  const open = useResourceMutation({
    call: async () => (await api.createCheckoutSession({ body: { priceId, ...(coupon && { coupon }) } })).data,
    onSuccess: ({ url }) => window.location.assign(url),
    onError: showCheckoutError,
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
