import { currentPlans } from '@uprez/contracts/policy/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { useState } from 'react';
import * as z from 'zod';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { useMay } from '../frame/use-may.ts';
import { amountRange, parseAmount, toTyped } from './amounts.ts';
import { priceMessages } from './messages.ts';
import { SaleBadge } from './sale-badge.tsx';
import { findYearlyState } from './sale-state.ts';
import { useSavePrices } from './use-prices.ts';
import { centsPer12Months, describeYearly, parseYearly, type Yearly, yearlyTiers } from './yearly-prices.ts';

const text = priceMessages.yearly;
const typedPrice = z
  .string()
  .refine(
    (typed) => typed.trim() === '' || parseAmount(typed) !== undefined,
    priceMessages.amountError(amountRange.min, amountRange.max),
  );
const schema = z.object({ pro: typedPrice, api_basic: typedPrice, api_pro: typedPrice, enterprise: typedPrice });

type ConfirmProps = { changes: readonly string[]; pending: boolean; onConfirm: () => void; onClose: () => void };

function ConfirmPrices({ changes, pending, onConfirm, onClose }: ConfirmProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.confirmTitle}
      text={
        <>
          <ul className="grid gap-1 text-ink tabular-nums">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <p className="mt-2">{text.confirmText}</p>
        </>
      }
      confirm={text.submit}
      pending={pending}
      onConfirm={onConfirm}
    />
  );
}

/** The price of a year by plan. Changes are listed and confirmed before they are saved. */
export function YearlyCard({ yearly, cards }: { yearly: Yearly; cards: readonly PlanCard[] }) {
  const mayManage = useMay('payments.manage');
  const [next, setNext] = useState<Yearly>();
  const save = useSavePrices(() => setNext(undefined));
  const form = useApiForm({
    schema,
    defaultValues: {
      pro: toTyped(yearly.pro),
      api_basic: toTyped(yearly.api_basic),
      api_pro: toTyped(yearly.api_pro),
      enterprise: toTyped(yearly.enterprise),
    },
    send: async (typed) => {
      const parsed = parseYearly(typed);
      if (describeYearly(yearly, parsed).length === 0) form.setError('root', { message: text.unchanged });
      else setNext(parsed);
    },
  });
  const confirm = () =>
    next &&
    save.mutate((stored) => ({ ...stored, yearly: next }), {
      onError: (error) => showErrorToast(priceMessages.failed, error),
    });
  return (
    <Card title={text.title}>
      <p className="text-muted text-sm">{text.text}</p>
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <div className="grid gap-5 md:grid-cols-2">
          {yearlyTiers.map((tier) => (
            <div key={tier} className="grid content-start justify-items-start gap-2 [&>:first-child]:w-full">
              <TextField
                label={text.price(currentPlans[tier].name)}
                hint={text.hint(centsPer12Months(tier))}
                {...form.field(tier)}
                inputMode="decimal"
                readOnly={!mayManage}
                autoComplete="off"
              />
              <SaleBadge state={findYearlyState(yearly, tier, cards)} />
            </div>
          ))}
        </div>
        {form.error && (
          <p role="status" className="text-muted text-sm">
            {form.error}
          </p>
        )}
        {mayManage && (
          <Button type="submit" className="justify-self-start">
            {text.submit}
          </Button>
        )}
      </form>
      {next && (
        <ConfirmPrices
          changes={describeYearly(yearly, next)}
          pending={save.isPending}
          onConfirm={confirm}
          onClose={() => setNext(undefined)}
        />
      )}
    </Card>
  );
}
