import { meters } from '@uprez/contracts/policy/plans/meters';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { type BillingSettings, type Pack, packSchema } from '@uprez/contracts/schemas/admin/settings';
import type { PackCard, PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatCount } from '@uprez/contracts/texts/format';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmCallDialog, FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { packMessages } from '../../../ui/plans/pack-list.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { priceMessages, priceMessages as text } from './messages.ts';
import {
  amountRange,
  centsPer12Months,
  describeYearlyChanges,
  findPackState,
  findYearlyState,
  parseAmount,
  parseYearlyPrices,
  type SaleState,
  toInputValue,
  type YearlyPrices,
  yearlyTiers,
} from './prices.ts';
import { priceKeys, pricesSavedToast, savePrices, useBillingSettings, useOffersOnSale } from './use-prices.ts';

const { units, meter } = packSchema.shape;

type Packs = BillingSettings['packs'];

/**
 * Returns a key that no other pack has, such as `ai_50`. Stripe's products are named after the key, so it never
 * changes.
 */
export function makePackKey(packs: Packs, { units, meter }: Pick<Pack, 'units' | 'meter'>): string {
  const keys = new Set(packs.map(({ key }) => key));
  const base = `${meter}_${units}`;
  let key = base;
  for (let number = 2; keys.has(key); number += 1) key = `${base}_${number}`;
  return key;
}

/** Replaces the pack that has the same key. If none has it, adds the pack under a new key. */
export const upsertPack = (packs: Packs, { key, ...pack }: Omit<Pack, 'key'> & { key: string | null }): Packs =>
  packs.some((one) => one.key === key)
    ? packs.map((one) => (one.key === key ? { key: one.key, ...pack } : one))
    : [...packs, { key: makePackKey(packs, pack), ...pack }];

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

const dialogText = priceMessages.dialog;

const meterOptions = meters.toReversed().map((value) => ({ value, label: dialogText.meters[value] }));

const unitsError = dialogText.unitsError(formatCount(units.maxValue ?? 0));

/** `typed`: the price, in dollars. */
const packsSchema = z.object({
  units: z.number(unitsError).refine((typed) => units.safeParse(typed).success, unitsError),
  meter,
  typed: z
    .string()
    .refine((typed) => parseAmount(typed) !== undefined, priceMessages.amountError(amountRange.min, amountRange.max)),
});

/** `pack`: the pack to edit, or null for a new one. */
const PackDialog = ({ pack, onClose }: { pack: Pack | null; onClose: () => void }) => (
  <FormCallDialog
    text={{
      ...{ title: pack ? dialogText.editTitle : dialogText.addTitle, text: pack ? dialogText.text : undefined },
      ...{ submit: dialogText.submit, pending: dialogText.pending },
    }}
    schema={packsSchema}
    initial={{
      units: pack?.units ?? 100,
      meter: pack?.meter ?? 'shared',
      typed: toInputValue(pack?.amount ?? null),
    }}
    fields={[
      {
        ...{ name: 'units', label: dialogText.units },
        ...{ type: 'number', inputMode: 'numeric', rules: { valueAsNumber: true } },
      },
      { kind: 'select', name: 'meter', label: dialogText.meter, options: meterOptions },
      { name: 'typed', label: dialogText.price, inputMode: 'decimal', autoComplete: 'off' },
    ]}
    call={({ typed, meter: chosen = 'shared', ...values }) => {
      const changed = { key: pack?.key ?? null, ...values, meter: chosen, amount: parseAmount(typed) ?? 0 };
      return savePrices((stored) => ({ ...stored, packs: upsertPack(stored.packs, changed) }));
    }}
    refreshes={priceKeys}
    done={pricesSavedToast}
    onClose={onClose}
  />
);

const packsText = priceMessages.packs;

const RemoveDialog = ({ pack, onClose }: { pack: Pack; onClose: () => void }) => (
  <ConfirmCallDialog
    text={{ title: packsText.removeTitle(pack), text: packsText.removeText, confirm: packsText.remove }}
    call={() => savePrices((stored) => ({ ...stored, packs: stored.packs.filter(({ key }) => key !== pack.key) }))}
    refreshes={priceKeys}
    failed={priceMessages.failed}
    done={pricesSavedToast}
    onClose={onClose}
  />
);

/** `packs`: the saved packs. `cards`: the packs that customers can buy now. */
function PacksCard({ packs, cards }: { packs: readonly Pack[]; cards: readonly PackCard[] }) {
  const mayManage = useHasPermission('payments.manage');
  const [edited, setEdited] = useState<Pack | null>();
  const [removed, setRemoved] = useState<Pack>();
  const addButton = (
    <Button look="secondary" onClick={() => setEdited(null)}>
      <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {packsText.add}
    </Button>
  );
  return (
    <Card title={packsText.title} actions={mayManage && addButton}>
      <p className="text-muted text-sm">{packsText.text}</p>
      {packs.length === 0 && <EmptyState {...packsText.empty} />}
      {packs.length > 0 && (
        <ul aria-label={packsText.title} className="divide-y divide-line border-line border-y">
          {packs.map((pack) => (
            <li key={pack.key} className="flex items-center justify-between gap-3 py-2">
              <span className="grid min-w-0 text-sm tabular-nums">
                <span className="font-medium">{packMessages.name(pack)}</span>
                <span className="text-muted">{packsText.price(pack.amount)}</span>
              </span>
              <span className="flex items-center gap-2">
                <SaleBadge state={findPackState(pack, cards)} />
                {mayManage && (
                  <ActionsMenu
                    label={packsText.actions(pack)}
                    items={[
                      { label: packsText.edit, icon: Pencil, onSelect: () => setEdited(pack) },
                      { label: packsText.remove, icon: Trash2, danger: true, onSelect: () => setRemoved(pack) },
                    ]}
                  />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && <PackDialog pack={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveDialog pack={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
}

function Prices({ settings }: { settings: BillingSettings }) {
  const { plans, packs, hasKeys, isSynced } = useOffersOnSale(settings);
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

const taxText = text.tax;

function TaxCard({ collectsTax }: { collectsTax: boolean }) {
  const mayManage = useHasPermission('payments.manage');
  const [next, setNext] = useState<boolean>();
  return (
    <Card title={taxText.title}>
      <p className="text-muted text-sm">{taxText.text}</p>
      <Switch label={taxText.label} checked={collectsTax} onChange={setNext} disabled={!mayManage} />
      <p className="text-muted text-sm">{taxText.setup}</p>
      <p className="text-muted text-sm">{taxText.scope}</p>
      {next !== undefined && (
        <ConfirmCallDialog
          text={{
            title: next ? taxText.onTitle : taxText.offTitle,
            text: (
              <div className="grid gap-2">
                <p>{next ? taxText.setup : taxText.off}</p>
                {next && <p>{taxText.scope}</p>}
              </div>
            ),
            confirm: next ? taxText.on : taxText.stop,
          }}
          call={() => savePrices((stored) => ({ ...stored, collectsTax: next }))}
          refreshes={priceKeys}
          failed={taxText.failed}
          done={taxText.saved}
          onClose={() => setNext(undefined)}
        />
      )}
    </Card>
  );
}

const yearlyText = text.yearly;

const typedPriceSchema = z
  .string()
  .refine(
    (typed) => typed.trim() === '' || parseAmount(typed) !== undefined,
    text.amountError(amountRange.min, amountRange.max),
  );

const schema = z.object({
  pro: typedPriceSchema,
  api_basic: typedPriceSchema,
  api_pro: typedPriceSchema,
  enterprise: typedPriceSchema,
});

type YearlyPricesDialogProps = { yearly: YearlyPrices; next: YearlyPrices; onClose: () => void };

const YearlyPricesDialog = ({ yearly, next, onClose }: YearlyPricesDialogProps) => (
  <ConfirmCallDialog
    text={{
      title: yearlyText.confirmTitle,
      text: (
        <>
          <ul className="grid gap-1 text-ink tabular-nums">
            {describeYearlyChanges(yearly, next).map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <p className="mt-2">{yearlyText.confirmText}</p>
        </>
      ),
      confirm: yearlyText.submit,
    }}
    call={() => savePrices((stored) => ({ ...stored, yearly: next }))}
    refreshes={priceKeys}
    failed={text.failed}
    done={pricesSavedToast}
    onClose={onClose}
  />
);

function YearlyCard({ yearly, cards }: { yearly: YearlyPrices; cards: readonly PlanCard[] }) {
  const mayManage = useHasPermission('payments.manage');
  const [next, setNext] = useState<YearlyPrices>();
  const form = useApiForm({
    schema,
    defaultValues: {
      pro: toInputValue(yearly.pro),
      api_basic: toInputValue(yearly.api_basic),
      api_pro: toInputValue(yearly.api_pro),
      enterprise: toInputValue(yearly.enterprise),
    },
    send: async (typed) => {
      const parsed = parseYearlyPrices(typed);
      if (describeYearlyChanges(yearly, parsed).length === 0) form.setError('root', { message: yearlyText.unchanged });
      else setNext(parsed);
    },
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
      {next && <YearlyPricesDialog yearly={yearly} next={next} onClose={() => setNext(undefined)} />}
    </Card>
  );
}

const kinds = { on_sale: 'success', syncing: 'warning', off: 'neutral' } as const;

const SaleBadge = ({ state }: { state: SaleState }) => <Badge kind={kinds[state]}>{priceMessages.states[state]}</Badge>;
