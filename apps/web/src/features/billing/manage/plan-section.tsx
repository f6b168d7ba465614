import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import type { Ref } from 'react';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
import { formatPlanPrice, planName } from '../plan-name.ts';
import {
  describeAppliedChange,
  describeEnd,
  describeOverride,
  describePause,
  describeScheduledChange,
  describeTarget,
  describeTier,
  listFacts,
} from './plan-facts.ts';
import { useBillingAction } from './use-billing-action.ts';

const text = billingMessages.page;
type Subscription = NonNullable<Billing['subscription']>;

const badgeKinds = {
  active: 'success',
  pending: 'warning',
  incomplete: 'warning',
  past_due: 'danger',
  canceled: 'neutral',
} as const;

function StateBadge({ badge, cancelAt }: Pick<Subscription, 'badge' | 'cancelAt'>) {
  if (badge === 'active' && cancelAt) return <Badge kind="warning">{text.endsOn(formatDay(cancelAt))}</Badge>;
  return <Badge kind={badgeKinds[badge]}>{text.badges[badge]}</Badge>;
}

type Action = { label: string; isPending: boolean; run: () => void };
type ChangeProps = { sentence: string; actions: readonly Action[] };

function Change({ sentence, actions }: ChangeProps) {
  return (
    <Notice kind="info">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60">{sentence}</p>
        {actions.map(({ label, isPending, run }) => (
          <Button key={label} look="secondary" size="small" pending={isPending} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
    </Notice>
  );
}

type ActionsProps = { subscription: Subscription; onDone: () => void; onPriced: () => void };

function useChangeActions({ subscription, onDone, onPriced }: ActionsProps) {
  const keep = useBillingAction({
    call: () => api.resumeSubscription({ body: {} }),
    done: () => text.kept,
    failed: text.keepFailed,
    onDone,
  });
  const resume = useBillingAction({
    call: () => api.resumeSubscription({ body: {} }),
    // If the call succeeds, the pause hadn't begun, so the plan was kept rather than resumed.
    done: () => text.kept,
    failed: text.resumeFailed,
    onDone,
    // After the paid period, resuming costs money. The server then rejects the request, and the cost is shown first.
    onFailed: (error) => {
      if (hasErrorCode(error, 'preview_changed')) onPriced();
    },
    isSilent: (error) => hasErrorCode(error, 'preview_changed'),
  });
  const undo = useBillingAction({
    call: () => api.undoChange(),
    done: () => text.undone,
    failed: text.undoFailed,
    onDone,
  });
  const pay = useBillingAction({
    call: () => api.payInvoice(),
    done: (changed) => describeAppliedChange(subscription.plan, (changed.subscription ?? subscription).plan),
    failed: billingMessages.payment.failed,
    onDone,
  });
  return { keep, resume, undo, pay };
}

const toAction = (label: string, { isPending, mutate }: { isPending: boolean; mutate: () => void }): Action => ({
  label,
  isPending,
  run: () => mutate(),
});

type ChangesProps = ActionsProps & { isLeaving: boolean; end: string; pause: string };

/**
 * Shows upcoming changes to a subscription.
 * - `isLeaving`: whether the account will be deleted. If so, the plan can be kept only by keeping the account.
 * - `end`: sentence about the cancellation.
 * - `pause`: sentence about the pause, or empty.
 * - `onPriced`: called if resuming the plan costs money, to show the cost.
 */
function Changes(props: ChangesProps) {
  const { keep, resume, undo, pay } = useChangeActions(props);
  const { plan, cancelAt, next, pending } = props.subscription;
  return (
    <>
      {cancelAt && <Change sentence={props.end} actions={props.isLeaving ? [] : [toAction(text.keep, keep)]} />}
      {next && (
        <Change
          sentence={text.scheduled(describeScheduledChange(plan, next.plan, next.at))}
          actions={[toAction(text.undo, undo)]}
        />
      )}
      {props.pause !== '' && <Change sentence={props.pause} actions={[toAction(text.resume, resume)]} />}
      {pending && (
        <Change
          sentence={text.pending(describeTarget(plan, pending.plan), formatDay(pending.until))}
          actions={[toAction(text.confirmPayment, pay), toAction(text.undo, undo)]}
        />
      )}
    </>
  );
}

type PlanSectionProps = {
  billing: Billing;
  deletesAt: string | null;
  headingRef: Ref<HTMLHeadingElement>;
  onDone: () => void;
  onPriced: () => void;
};

export function PlanSection({ billing, deletesAt, headingRef, onDone, onPriced }: PlanSectionProps) {
  const { subscription, tier } = billing;
  const override = describeOverride(billing);
  const applied = describeTier(billing);
  return (
    <BillingSection title={text.plan} headingRef={headingRef} state={subscription && <StateBadge {...subscription} />}>
      {override !== '' && <Notice kind="info">{override}</Notice>}
      {subscription ? (
        <>
          <div>
            <p className="font-medium">{planName(subscription.plan.tier)}</p>
            <p className="text-muted text-sm tabular-nums">{formatPlanPrice(subscription.plan)}</p>
            {applied !== '' && <p className="text-muted text-sm">{applied}</p>}
          </div>
          <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-2">
            {listFacts(billing).map(([label, value]) => (
              <div key={label}>
                <dt className="text-muted text-xs">{label}</dt>
                <dd className="tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
          <Changes
            subscription={subscription}
            isLeaving={deletesAt !== null}
            end={describeEnd(billing, subscription.cancelAt ?? subscription.periodEnd, deletesAt)}
            pause={describePause(billing)}
            onDone={onDone}
            onPriced={onPriced}
          />
        </>
      ) : (
        <div>
          <p className="font-medium">{planName(tier)}</p>
          <p className="text-muted text-sm">{text.free}</p>
        </div>
      )}
    </BillingSection>
  );
}
