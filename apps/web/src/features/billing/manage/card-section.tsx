import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatMethod } from '@uprez/contracts/texts/billing';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { paths } from '../../../site-map.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
import { openStripe, type Payments } from '../payment/open-stripe.ts';
import { PaymentForm, TestModeBadge } from '../payment/payment-form.tsx';

const cardText = billingMessages.card;

type Card = NonNullable<NonNullable<Billing['subscription']>['card']>;

/** Returns a payment method's name with its last digits, and when it expires. */
export function describeCard({ brand, last4, expMonth, expYear }: Card): { name: string; expires: string | undefined } {
  const name = formatMethod(brand);
  const hasExpiry = expMonth !== null && expYear !== null;
  return {
    name: last4 === null ? name : cardText.digits(name, last4),
    expires: hasExpiry ? cardText.expires(String(expMonth).padStart(2, '0'), expYear) : undefined,
  };
}

const { card: text, payment: paymentText } = billingMessages;

type CardSectionProps = {
  billing: Billing;
  isDark: boolean;
  /** Incremented whenever another control opens the form. */
  requests: number;
};

export function CardSection({ billing, isDark, requests }: CardSectionProps) {
  const store = useStoreBilling();
  const heading = useRef<HTMLHeadingElement>(null);
  const { setup, open, close } = useSetup();
  const { mutate } = open;
  useEffect(() => {
    if (requests === 0) return;
    heading.current?.focus();
    mutate();
  }, [requests, mutate]);
  const [hasFailed, setFailed] = useState(false);
  const save = async () => {
    store((await api.refreshBilling({ body: {} })).data);
    showToast({ title: text.saved });
    close();
    heading.current?.focus();
  };
  return (
    <BillingSection title={text.title} headingRef={heading} state={<TestModeBadge payments={setup?.payments} />}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <CurrentCard billing={billing} />
        {!setup && (
          <Button look="secondary" pending={open.isPending} onClick={() => open.mutate()}>
            {text.change}
          </Button>
        )}
      </div>
      {setup && (
        <>
          <p className="text-muted text-sm">{billing.unpaid ? text.textUnpaid : text.text}</p>
          {hasFailed && <Notice kind="danger">{`${paymentText.notLoaded} ${paymentText.unblock}`}</Notice>}
          <PaymentForm
            {...setup}
            isDark={isDark}
            confirms="setup"
            returnPath={paths.billing}
            label={text.save}
            pendingLabel={text.saving}
            onConfirmed={save}
            onLoadError={() => setFailed(true)}
            actions={
              <Button look="secondary" onClick={close}>
                {text.keep}
              </Button>
            }
          />
        </>
      )}
    </BillingSection>
  );
}

type Setup = { payments: Payments; clientSecret: string };

function useSetup() {
  const [setup, setSetup] = useState<Setup>();
  const open = useResourceMutation({
    call: async () => {
      const [payments, { data }] = await Promise.all([openStripe(), api.changeCard()]);
      return { payments, clientSecret: data.clientSecret };
    },
    onSuccess: setSetup,
    errorTitle: text.failed,
  });
  return { setup, open, close: () => setSetup(undefined) };
}

function CurrentCard({ billing: { subscription } }: { billing: Billing }) {
  const card = subscription?.card;
  if (!card) return <p className="text-muted text-sm">{text.none}</p>;
  const { name, expires } = describeCard(card);
  return (
    <div>
      <p className="font-medium text-sm">{name}</p>
      {expires && <p className="text-muted text-sm tabular-nums">{expires}</p>}
    </div>
  );
}
