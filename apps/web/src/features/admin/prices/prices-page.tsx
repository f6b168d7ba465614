import { currentPlans } from '@uprez/contracts/policy/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { BillingSettings } from '@uprez/contracts/schemas/settings';
import { useState } from 'react';
import * as z from 'zod';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { useMay } from '../frame/use-may.ts';
import { amountRange, parseAmount, toTyped } from './amounts.ts';
import { priceMessages as text } from './messages.ts';
import { PacksCard } from './packs-card.tsx';
import { SaleBadge } from './sale-badge.tsx';
import { findYearlyState } from './sale-state.ts';
import { useBillingSettings, useOnSale, useSavePrices } from './use-prices.ts';
import { centsPer12Months, describeYearly, parseYearly, type Yearly, yearlyTiers } from './yearly-prices.ts';

function Prices({ settings }: { settings: BillingSettings }) {
  const { plans, packs, hasKeys, isSynced } = useOnSale(settings);
  return (
    <>
      {hasKeys ? (
        <Notice kind="info">
          <p role="status">{isSynced ? `${text.synced} ${text.sync}` : text.syncing}</p>
        </Notice>
      ) : (
        <Notice kind="warning">{text.noKeys}</Notice>
      )}
      {/* Saved prices are shown as they were stored. */}
      <YearlyCard key={JSON.stringify(settings.yearly)} yearly={settings.yearly} cards={plans} />
      <PacksCard packs={settings.packs} cards={packs} />
      <TaxCard collectsTax={settings.collectsTax} />
    </>
  );
}

/** The prices of a year, and the packs, that customers can buy, and whether tax is added. */
export function PricesPage() {
  const query = useBillingSettings();
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <QueryView query={query} skeleton={<Skeleton className="h-64 rounded-card" />}>
        {(settings) => <Prices settings={settings} />}
      </QueryView>
    </AdminPage>
  );
}

const taxText = text.tax;

/** Whether tax is added to prices. A change is confirmed before it is saved. */
function TaxCard({ collectsTax }: { collectsTax: boolean }) {
  const mayManage = useMay('payments.manage');
  const [next, setNext] = useState<boolean>();
  const save = useSavePrices(() => setNext(undefined), taxText.saved);
  const confirm = () =>
    next !== undefined &&
    save.mutate((stored) => ({ ...stored, collectsTax: next }), {
      onError: (error) => showErrorToast(taxText.failed, error),
    });
  return (
    <Card title={taxText.title}>
      <p className="text-muted text-sm">{taxText.text}</p>
      <Switch label={taxText.label} checked={collectsTax} onChange={setNext} disabled={!mayManage} />
      <p className="text-muted text-sm">{taxText.setup}</p>
      <p className="text-muted text-sm">{taxText.scope}</p>
      {next !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={() => setNext(undefined)}
          title={next ? taxText.onTitle : taxText.offTitle}
          text={
            <div className="grid gap-2">
              <p>{next ? taxText.setup : taxText.off}</p>
              {next && <p>{taxText.scope}</p>}
            </div>
          }
          confirm={next ? taxText.on : taxText.stop}
          pending={save.isPending}
          onConfirm={confirm}
        />
      )}
    </Card>
  );
}

const yearlyText = text.yearly;
const typedPrice = z
  .string()
  .refine(
    (typed) => typed.trim() === '' || parseAmount(typed) !== undefined,
    text.amountError(amountRange.min, amountRange.max),
  );
const schema = z.object({ pro: typedPrice, api_basic: typedPrice, api_pro: typedPrice, enterprise: typedPrice });

type ConfirmProps = { changes: readonly string[]; pending: boolean; onConfirm: () => void; onClose: () => void };

function ConfirmPrices({ changes, pending, onConfirm, onClose }: ConfirmProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={yearlyText.confirmTitle}
      text={
        <>
          <ul className="grid gap-1 text-ink tabular-nums">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <p className="mt-2">{yearlyText.confirmText}</p>
        </>
      }
      confirm={yearlyText.submit}
      pending={pending}
      onConfirm={onConfirm}
    />
  );
}

/** The price of a year by plan. Changes are listed and confirmed before they are saved. */
function YearlyCard({ yearly, cards }: { yearly: Yearly; cards: readonly PlanCard[] }) {
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
      if (describeYearly(yearly, parsed).length === 0) form.setError('root', { message: yearlyText.unchanged });
      else setNext(parsed);
    },
  });
  const confirm = () =>
    next &&
    save.mutate((stored) => ({ ...stored, yearly: next }), {
      onError: (error) => showErrorToast(text.failed, error),
    });
  return (
    <Card title={yearlyText.title}>
      <p className="text-muted text-sm">{yearlyText.text}</p>
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <div className="grid gap-5 md:grid-cols-2">
          {yearlyTiers.map((tier) => (
            <div key={tier} className="grid content-start justify-items-start gap-2 [&>:first-child]:w-full">
              <TextField
                label={yearlyText.price(currentPlans[tier].name)}
                hint={yearlyText.hint(centsPer12Months(tier))}
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
            {yearlyText.submit}
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
