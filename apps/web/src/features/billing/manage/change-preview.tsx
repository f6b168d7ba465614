import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { comparePlans, type Entitlements } from '@uprez/contracts/policy/plans/plan-columns';
import type { ChangePreview } from '@uprez/contracts/schemas/billing/billing';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { describeError, hasErrorCode } from '../../../lib/api/api-errors.ts';
import { isCouponError, useCoupon } from '../../../lib/billing/use-coupon.ts';
import { useFocusOnMount } from '../../../lib/layout/focus.ts';
import { revealElement } from '../../../lib/layout/reveal-element.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { CouponField } from '../../../ui/plans/coupon-field.tsx';
import { SentenceList } from '../../../ui/plans/sentence-list.tsx';
import { BillView } from '../bill-view.tsx';
import { billingMessages } from '../messages.ts';
import { formatPlanPrice, planName } from '../plan-name.ts';
import { type BoughtPlan, describeAppliedChange, describeScheduledChange, describeTarget } from './plan-facts.ts';
import { useBillingAction } from './use-billing-action.ts';

const { change: text, page: pageText } = billingMessages;

/** Returns the title of a change preview. `name`: name of the plan; undefined until it is known. */
export function formatReviewTitle({ name, isResume }: { name: string | undefined; isResume: boolean }): string {
  if (name === undefined) return text.title;
  return isResume ? text.reviewResume(name) : text.review(name);
}

type PreviewedChange = Pick<ChangePreview, 'kind' | 'plan' | 'today' | 'at'>;

/** Returns the label of the confirm button. The label contains the amount due or the date of the change. */
export function formatConfirmLabel({ kind, plan, today, at }: PreviewedChange, from: BoughtPlan): string {
  if (kind === 'downgrade')
    return from.tier === plan.tier
      ? text.confirmSamePlan(describeTarget(from, plan), formatDay(at))
      : text.confirmDowngrade(formatDay(at));
  const amount = today && today.due > 0 && formatMoney({ amount: today.due, currency: today.currency });
  if (kind === 'resume') return amount ? text.confirmResume(amount) : pageText.resume;
  return amount ? text.confirmUpgrade(amount) : text.confirmFree;
}

type ChangePreviewProps = {
  priceId: string;
  from: BoughtPlan;
  /** Name of the chosen plan, shown until the preview is loaded. */
  name: string | undefined;
  /** Whether the chosen price is the one that the account already pays. If so, confirming resumes the paused plan. */
  isOwn: boolean;
  cards: readonly PlanCard[];
  /**
   * What the account's plan includes before the change. Undefined if the change doesn't affect what the account can
   * use.
   */
  current: Entitlements | undefined;
  onDone: () => void;
  onClose: () => void;
};

export function ChangePreviewPanel(props: ChangePreviewProps) {
  const { priceId, from, cards, current, onDone, onClose } = props;
  const heading = useFocusOnMount<HTMLHeadingElement>();
  useEffect(() => revealElement(heading.current), [heading]);
  const coupon = useCoupon({ plan: priceId });
  const code = coupon.offer?.code ?? null;
  const isChecked = coupon.code === null || coupon.offer !== undefined || coupon.error !== null;
  const query = useQuery<ChangePreview>({
    queryKey: [apiRoutes.previewChange.path, priceId, code],
    queryFn: async () => (await api.previewChange({ body: { priceId, ...(code && { code }) } })).data,
    enabled: isChecked,
    placeholderData: keepPreviousData,
    gcTime: 0,
    networkMode: 'always',
  });
  const isRejected = isCouponError(query.error);
  const isResume = query.data ? query.data.kind === 'resume' : props.isOwn;
  const name = query.data ? planName(query.data.plan.tier) : props.name;
  return (
    <div className="grid gap-4 rounded-card border border-line bg-page p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="text-base outline-none">
        {formatReviewTitle({ name, isResume })}
      </h3>
      {isRejected ? (
        <>
          <Notice kind="danger">{describeError(query.error)}</Notice>
          <CouponField coupon={coupon} />
        </>
      ) : (
        <QueryView query={query} skeleton={<Skeleton className="h-40" />}>
          {(preview) => (
            <>
              <Explanation preview={preview} />
              <Difference preview={preview} cards={cards} current={current} />
              <BillView bill={preview.today} next={preview.next} />
              {(preview.kind !== 'downgrade' || coupon.code !== null) && <CouponField coupon={coupon} />}
              <ConfirmActions
                preview={preview}
                from={from}
                code={code}
                disabled={!isChecked || query.isPlaceholderData}
                onDone={onDone}
                onRepriced={() => void query.refetch()}
                onClose={onClose}
              />
            </>
          )}
        </QueryView>
      )}
      {query.isError && (
        <Button look="secondary" className="justify-self-end" onClick={onClose}>
          {isResume ? text.notNow : text.back}
        </Button>
      )}
    </div>
  );
}

const changeText = billingMessages.change;

type PlanDifferenceProps = {
  from: Entitlements;
  to: Entitlements;
  /** When the change takes effect: `today`, or `on Dec 5, 2026`. */
  start: string;
};

function PlanDifference({ from, to, start }: PlanDifferenceProps) {
  const { gains, losses } = comparePlans(from, to);
  const lists = [
    { title: changeText.gains(start), sentences: gains, isMissing: false },
    { title: changeText.losses(start), sentences: losses, isMissing: true },
  ];
  return lists
    .filter(({ sentences }) => sentences.length > 0)
    .map(({ title, ...list }) => (
      <div key={title} className="grid gap-2">
        <p className="font-medium text-sm">{title}</p>
        <SentenceList label={title} {...list} className="gap-1 text-muted" />
      </div>
    ));
}

type ConfirmProps = {
  preview: ChangePreview;
  from: BoughtPlan;
  code: string | null;
  disabled: boolean;
  onDone: () => void;
  onRepriced: () => void;
  onClose: () => void;
};

function ConfirmActions({ preview, from, code, disabled, onDone, onRepriced, onClose }: ConfirmProps) {
  const { kind, plan, previewId, at } = preview;
  const [failure, setFailure] = useState<string>();
  const confirm = useBillingAction({
    call: () =>
      kind === 'resume'
        ? api.resumeSubscription({ body: { previewId } })
        : api.changePlan({ body: { priceId: plan.priceId, previewId, ...(code && { code }) } }),
    done: () =>
      kind === 'resume'
        ? pageText.resumed
        : kind === 'upgrade'
          ? describeAppliedChange(from, plan)
          : describeScheduledChange(from, plan, at),
    failed: kind === 'resume' ? pageText.resumeFailed : text.failed,
    onDone,
    onFailed: (error) => {
      setFailure(describeError(error));
      if (hasErrorCode(error, 'preview_changed') || isCouponError(error)) onRepriced();
    },
  });
  return (
    <>
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="secondary" onClick={onClose}>
          {kind === 'resume' ? text.notNow : text.back}
        </Button>
        <Button pending={confirm.isPending} disabled={disabled} onClick={() => confirm.mutate()}>
          {formatConfirmLabel(preview, from)}
        </Button>
      </div>
    </>
  );
}

function Explanation({ preview: { kind, plan, at } }: { preview: ChangePreview }): ReactNode {
  return (
    <div className="text-sm">
      <p className="font-medium tabular-nums">{formatPlanPrice(plan)}</p>
      <p className="text-muted">
        {kind === 'downgrade' ? text.downgrade(formatDay(at)) : kind === 'resume' ? text.resume : text.upgrade}
      </p>
    </div>
  );
}

type DifferenceProps = { preview: ChangePreview; cards: readonly PlanCard[]; current: Entitlements | undefined };

function Difference({ preview: { kind, plan, at }, cards, current }: DifferenceProps) {
  const to = cards.find(({ key }) => key === plan.tier)?.entitlements;
  const start = kind === 'downgrade' ? text.startOn(formatDay(at)) : text.start;
  return current && to && <PlanDifference from={current} to={to} start={start} />;
}
