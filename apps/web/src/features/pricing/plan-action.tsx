import { currentPlans, salesOnlyTier } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { createLeadBodySchema, type NewLeadInput } from '@uprez/contracts/schemas/contact';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode, showErrorToast } from '../../lib/api/api-errors.ts';
import { useSite } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { isSubscribed } from '../../lib/billing/is-subscribed.ts';
import { changePath, subscribePath } from '../../lib/billing/plan-paths.ts';
import { showCheckoutError } from '../../lib/billing/show-checkout-error.ts';
import { useBilling } from '../../lib/billing/use-billing.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { paths, signUpPath } from '../../site-map.ts';
import { BotField } from '../../ui/controls/bot-field.tsx';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';

const wideButtonProps = { size: 'wide', look: 'secondary' } as const;

type PlanActionProps = { card: PlanCard; offer: Offer; user: User | null; coupon: string | null };

export function PlanAction({ card, offer, user, coupon }: PlanActionProps) {
  const { data: billing } = useBilling({ enabled: user !== null });
  const { priceId, interval } = offer;
  const link = buttonStyle(wideButtonProps);
  switch (findAction(card, offer, { user, billing })) {
    case 'current':
      return (
        <Button {...wideButtonProps} disabled>
          {text.currentButton}
        </Button>
      );
    case 'base':
      return (
        <Button {...wideButtonProps} disabled>
          {text.base}
        </Button>
      );
    case 'mail':
      return <MailAction name={card.name} user={user} />;
    case 'sign-up':
      return (
        <Link to={signUpPath} className={buttonStyle({ size: 'wide' })}>
          {text.start}
        </Link>
      );
    case 'sign-in':
      return (
        <a
          // Links to the sign-up form, because most visitors who choose a plan don't have an account.
          href={`${signUpPath}&${new URLSearchParams({
            next: priceId === null ? paths.pricing : subscribePath({ plan: card.key, interval }, coupon),
          })}`}
          className={link}
        >
          {text.choose(card.name)}
        </a>
      );
    case 'change':
      return (
        <a href={changePath({ plan: priceId ?? card.key }, coupon)} className={link}>
          {text.changeTo(card.name)}
        </a>
      );
    case 'buy':
      return <BuyAction key={priceId} name={card.name} priceId={priceId ?? card.key} coupon={coupon} />;
    case 'unavailable':
      return (
        <Button {...wideButtonProps} onClick={() => showToast({ ...text.unavailable, destructive: true })}>
          {text.choose(card.name)}
        </Button>
      );
  }
}

export const mailtoUrl = (to: string, { subject, body }: { subject: string; body: string }): string =>
  `mailto:${encodeURIComponent(to).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;

type BuyActionProps = { name: string; priceId: string; coupon: string | null };

/**
 * Opens the payment page for a plan. Users who already have a subscription are redirected to the subscribe page, which
 * shows their current plan or forwards them to the plan change.
 */
function BuyAction({ name, priceId, coupon }: BuyActionProps) {
  const open = useResourceMutation({
    call: async () =>
      (await api.createCheckoutSession({ body: { priceId, planName: name, ...(coupon && { coupon }) } })).data,
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => {
      if (hasErrorCode(error, 'already_subscribed')) window.location.assign(subscribePath({ plan: priceId }, coupon));
      else showCheckoutError(error);
    },
  });
  return (
    <Button {...wideButtonProps} pending={open.isPending} onClick={() => open.mutate()}>
      {text.choose(name)}
    </Button>
  );
}

function DraftAction({ name }: { name: string }) {
  const { data, isFetching, refetch } = useSite();
  if (data)
    return (
      <a href={mailtoUrl(data.contactEmail, text.draft(name))} className={buttonStyle(wideButtonProps)}>
        {text.byMail}
      </a>
    );
  const open = async () => {
    const { data: site, error } = await refetch();
    if (site) window.location.assign(mailtoUrl(site.contactEmail, text.draft(name)));
    else showErrorToast(text.addressFailed, error);
  };
  return (
    <Button {...wideButtonProps} pending={isFetching} onClick={() => void open()}>
      {text.byMail}
    </Button>
  );
}

function MailAction({ name, user }: { name: string; user: User | null }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="grid gap-2">
      <DraftAction name={name} />
      <Button look="ghost" onClick={() => setAsking(true)}>
        {text.byForm}
      </Button>
      {isAsking && <LeadDialog name={name} user={user} onClose={() => setAsking(false)} />}
    </div>
  );
}

const leadText = {
  title: (name: string) => `Ask about ${name}`,
  text: "We'll reply by email.",
  name: 'Name',
  email: 'Email',
  company: 'Company',
  volume: 'Images per month',
  optional: 'optional',
  message: 'Message',
  submit: 'Send message',
  pending: 'Sending...',
  done: 'Message sent',
};

type LeadDialogProps = { name: string; user: User | null; onClose: () => void };

function LeadDialog({ name, user, onClose }: LeadDialogProps) {
  const form = useApiForm<NewLeadInput>({
    schema: createLeadBodySchema,
    defaultValues: {
      name: [user?.firstName, user?.lastName].filter(Boolean).join(' '),
      email: user?.email ?? '',
      ...{ company: '', volume: '', message: '', website: '' },
    },
    send: async (body) => {
      await api.createLead({ body });
      showToast({ title: leadText.done, description: leadText.text });
      onClose();
    },
  });
  return (
    <FormDialog title={leadText.title(name)} description={leadText.text} form={form} text={leadText} onClose={onClose}>
      <TextField label={leadText.name} {...form.field('name')} autoComplete="name" />
      <TextField label={leadText.email} {...form.field('email')} type="email" autoComplete="email" />
      <TextField
        label={leadText.company}
        optional={leadText.optional}
        {...form.field('company')}
        autoComplete="organization"
      />
      <TextField label={leadText.volume} optional={leadText.optional} {...form.field('volume')} autoComplete="off" />
      <TextArea label={leadText.message} {...form.field('message')} />
      <BotField {...form.register('website')} />
    </FormDialog>
  );
}

type PlanActionKind = 'current' | 'mail' | 'sign-up' | 'sign-in' | 'base' | 'change' | 'unavailable' | 'buy';

type Viewer = { user: User | null; billing: Billing | undefined };

/**
 * Whether the user already has this offer, so it can't be bought again. A subscription must match the offer's interval
 * and the current plan version. A free plan, or a plan granted by an administrator, always matches.
 */
function hasPlan(card: Pick<PlanCard, 'key'>, offer: Offer, { user, billing }: Viewer): boolean {
  if (user?.subscriptionTier !== card.key) return false;
  const paid = billing && isSubscribed(billing) ? billing.subscription?.plan : undefined;
  if (paid?.tier !== card.key) return true;
  return paid.interval === offer.interval && planOfUser(user) === currentPlans[card.key];
}

export function findAction(card: Pick<PlanCard, 'key' | 'price'>, offer: Offer, viewer: Viewer): PlanActionKind {
  const { user, billing } = viewer;
  if (hasPlan(card, offer, viewer)) return 'current';
  if (card.key === salesOnlyTier && !billing?.isOffered) return 'mail';
  if (card.price === 0) return user ? 'base' : 'sign-up';
  if (!user) return 'sign-in';
  if (offer.priceId === null) return 'unavailable';
  return billing && isSubscribed(billing) ? 'change' : 'buy';
}

export type Interval = 'month' | 'year';

/**
 * Price of a plan for an interval. Plans without a yearly price are offered monthly. `priceId` is null if the plan
 * isn't for sale.
 */
export type Offer = { interval: Interval; price: number; priceId: string | null };

export const findOffer = ({ price, priceId, yearly }: PlanCard, interval: Interval): Offer =>
  interval === 'year' && yearly ? { interval, ...yearly } : { interval: 'month', price, priceId };

export const hasYearlyPrices = (cards: readonly PlanCard[]): boolean => cards.some(({ yearly }) => yearly !== null);
