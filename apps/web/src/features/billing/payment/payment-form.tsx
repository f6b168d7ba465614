import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, StripeError } from '@stripe/stripe-js';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Skeleton } from '../../../ui/feedback/query-view.tsx';
import { billingMessages } from '../messages.ts';
import type { Payments } from './open-stripe.ts';

export type ConfirmedIntent = { id: string; status: string };

type FormProps = {
  /** `setup`: stores a payment method without a payment. */
  confirms: 'payment' | 'setup';
  /** Path that the user returns to from a payment method's external page. */
  returnPath: string;
  label: string;
  pendingLabel: string;
  onConfirmed: (intent: ConfirmedIntent) => Promise<void>;
  onLoadError: () => void;
  /** Called if the intent was already confirmed or canceled elsewhere. If it resolves to true, no error is shown. */
  isSettled?: () => Promise<boolean>;
  actions?: ReactNode;
};

type PaymentFormProps = FormProps & { payments: Payments; clientSecret: string; isDark: boolean };

/** Stripe's form for a payment, or for storing a payment method. Keeps its input after an error. */
export const PaymentForm = ({ payments, clientSecret, isDark, ...form }: PaymentFormProps) => (
  <Elements stripe={payments.stripe} options={{ clientSecret, appearance: makeAppearance(isDark) }}>
    <Form {...form} />
  </Elements>
);

const text = billingMessages.payment;

/**
 * Returns a function that confirms the payment or setup. The function returns the intent, or the provider's error. The
 * error is undefined if Stripe.js isn't ready.
 */
function useConfirmIntent({ confirms, returnPath }: Pick<FormProps, 'confirms' | 'returnPath'>) {
  const [stripe, elements] = [useStripe(), useElements()];
  return async (): Promise<ConfirmedIntent | { error: StripeError | undefined }> => {
    if (!stripe || !elements) return { error: undefined };
    const options = {
      elements,
      confirmParams: { return_url: new URL(returnPath, window.location.origin).href },
      // Redirects only if the payment method requires it. Cards don't, so the client secret stays out of the URL.
      redirect: 'if_required',
    } as const;
    if (confirms === 'setup') {
      const { error, setupIntent } = await stripe.confirmSetup(options);
      return error ? { error } : setupIntent;
    }
    const { error, paymentIntent } = await stripe.confirmPayment(options);
    return error ? { error } : paymentIntent;
  };
}

/** Whether the intent was confirmed or canceled elsewhere, such as in another tab. */
const isUnexpectedState = (error: StripeError | undefined) => error?.code?.endsWith('_unexpected_state') === true;

function Form({ label, pendingLabel, onConfirmed, onLoadError, isSettled, actions, ...confirmed }: FormProps) {
  const confirm = useConfirmIntent(confirmed);
  const [isReady, setReady] = useState(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const submit = async () => {
    setPending(true);
    setFailure(undefined);
    const result = await confirm();
    if ('error' in result) {
      if (isSettled && isUnexpectedState(result.error) && (await isSettled().catch(() => false))) return;
      setPending(false);
      // Returns without a message, because Stripe's form shows validation errors at its fields.
      if (!result.error || result.error.type === 'validation_error') return;
      setFailure(result.error.message ?? text.notConfirmed);
      return;
    }
    await onConfirmed({ id: result.id, status: result.status });
    setPending(false);
  };
  return (
    <form
      aria-label={text.card}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isReady && !isPending) void submit();
      }}
      className="grid gap-5"
    >
      <div className="min-h-48">
        {!isReady && <Skeleton className="h-48" />}
        <PaymentElement onReady={() => setReady(true)} onLoadError={onLoadError} />
      </div>
      <FormError form={{ error: failure, failure: failure && text.failed }} />
      <div className="flex flex-wrap justify-end gap-2">
        {actions}
        <Button type="submit" className="grow" disabled={!isReady} pending={isPending} pendingText={pendingLabel}>
          {label}
        </Button>
      </div>
    </form>
  );
}

/** Hexadecimal values of our color tokens, because Stripe's form doesn't support OKLCH. */
const colors = {
  light: { surface: '#ffffff', ink: '#161616', muted: '#555555', edge: '#808080', danger: '#8e0f2b' },
  dark: { surface: '#1b1b1b', ink: '#eeeeee', muted: '#aaaaaa', edge: '#737373', danger: '#ff8f95' },
} as const;

function makeAppearance(isDark: boolean): Appearance {
  const { surface, ink, muted, edge, danger } = colors[isDark ? 'dark' : 'light'];
  return {
    theme: isDark ? 'night' : 'stripe',
    labels: 'above',
    variables: {
      colorPrimary: '#d1390b',
      colorBackground: surface,
      colorText: ink,
      colorTextSecondary: muted,
      colorDanger: danger,
      borderRadius: '8px',
      fontSizeBase: '14px',
    },
    rules: { '.Input': { borderColor: edge, boxShadow: 'none' } },
  };
}

const { testMode } = billingMessages.payment;

export const TestModeBadge = ({ payments }: { payments: Payments | undefined }) =>
  payments?.isTest && <Badge kind="warning">{payments.isLocal ? testMode.local : testMode.sandbox}</Badge>;
