import { meters } from '@uprez/contracts/policy/meters';
import type { PackCard } from '@uprez/contracts/schemas/plan-card';
import { type BillingSettings, type Pack, packSchema } from '@uprez/contracts/schemas/settings';
import { formatCount } from '@uprez/contracts/texts/format';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { packMessages } from '../../../ui/plans/pack-messages.ts';
import { useMay } from '../frame/use-may.ts';
import { amountRange, parseAmount, toTyped } from './amounts.ts';
import { priceMessages } from './messages.ts';
import { SaleBadge } from './sale-badge.tsx';
import { findPackState } from './sale-state.ts';
import { useSavePrices } from './use-prices.ts';

const dialogText = priceMessages.dialog;
const { units, meter } = packSchema.shape;
const meterOptions = meters.toReversed().map((value) => ({ value, label: dialogText.meters[value] }));
const unitsError = dialogText.unitsError(formatCount(units.maxValue ?? 0));
/** `typed`: the price in dollars. */
const schema = z.object({
  units: z.number(unitsError).refine((typed) => units.safeParse(typed).success, unitsError),
  meter,
  typed: z
    .string()
    .refine((typed) => parseAmount(typed) !== undefined, priceMessages.amountError(amountRange.min, amountRange.max)),
});
type Values = z.input<typeof schema>;

/** Asks for the units and the price of a pack. `pack`: the one to edit; null: a new one. */
function PackDialog({ pack, onClose }: { pack: Pack | null; onClose: () => void }) {
  const save = useSavePrices(onClose);
  const form = useApiForm<Values>({
    schema,
    defaultValues: {
      units: pack?.units ?? 100,
      meter: pack?.meter ?? 'shared',
      typed: toTyped(pack?.amount ?? null),
    },
    send: ({ typed, meter: chosen = 'shared', ...values }) => {
      const changed = { key: pack?.key ?? null, ...values, meter: chosen, amount: parseAmount(typed) ?? 0 };
      return save.mutateAsync((stored) => ({ ...stored, packs: putPack(stored.packs, changed) }));
    },
  });
  return (
    <FormDialog
      title={pack ? dialogText.editTitle : dialogText.addTitle}
      description={pack ? dialogText.text : undefined}
      form={form}
      text={dialogText}
      onClose={onClose}
    >
      <TextField
        label={dialogText.units}
        type="number"
        inputMode="numeric"
        {...form.field('units', { valueAsNumber: true })}
      />
      <Select
        label={dialogText.meter}
        value={form.watch('meter') ?? 'shared'}
        onChange={(value) => form.change({ meter: value })}
        options={meterOptions}
      />
      <TextField label={dialogText.price} {...form.field('typed')} inputMode="decimal" autoComplete="off" />
    </FormDialog>
  );
}

type Packs = BillingSettings['packs'];

/** A key that no other pack has, such as `ai_50`. Stripe's products are named by it, so it never changes. */
export function makePackKey(packs: Packs, { units, meter }: Pick<Pack, 'units' | 'meter'>): string {
  const keys = new Set(packs.map(({ key }) => key));
  const base = `${meter}_${units}`;
  let key = base;
  for (let number = 2; keys.has(key); number += 1) key = `${base}_${number}`;
  return key;
}

/** The packs with one changed, or added if it has no key. */
export const putPack = (packs: Packs, { key, ...pack }: Omit<Pack, 'key'> & { key: string | null }): Packs =>
  packs.some((one) => one.key === key)
    ? packs.map((one) => (one.key === key ? { key: one.key, ...pack } : one))
    : [...packs, { key: makePackKey(packs, pack), ...pack }];

const text = priceMessages.packs;

function RemoveDialog({ pack, onClose }: { pack: Pack; onClose: () => void }) {
  const save = useSavePrices(onClose);
  const remove = () =>
    save.mutate((stored) => ({ ...stored, packs: stored.packs.filter(({ key }) => key !== pack.key) }), {
      onError: (error) => showErrorToast(priceMessages.failed, error),
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.removeTitle(pack)}
      text={text.removeText}
      confirm={text.remove}
      pending={save.isPending}
      onConfirm={remove}
    />
  );
}

/** The packs that are sold. `cards`: those that customers can buy now. */
export function PacksCard({ packs, cards }: { packs: readonly Pack[]; cards: readonly PackCard[] }) {
  const mayManage = useMay('payments.manage');
  const [edited, setEdited] = useState<Pack | null>();
  const [removed, setRemoved] = useState<Pack>();
  const addButton = (
    <Button look="secondary" onClick={() => setEdited(null)}>
      <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.add}
    </Button>
  );
  return (
    <Card title={text.title} actions={mayManage && addButton}>
      <p className="text-muted text-sm">{text.text}</p>
      {packs.length === 0 && <EmptyState {...text.empty} />}
      {packs.length > 0 && (
        <ul aria-label={text.title} className="divide-y divide-line border-line border-y">
          {packs.map((pack) => (
            <li key={pack.key} className="flex items-center justify-between gap-3 py-2">
              <span className="grid min-w-0 text-sm tabular-nums">
                <span className="font-medium">{packMessages.name(pack)}</span>
                <span className="text-muted">{text.price(pack.amount)}</span>
              </span>
              <span className="flex items-center gap-2">
                <SaleBadge state={findPackState(pack, cards)} />
                {mayManage && (
                  <ActionsMenu
                    label={text.actions(pack)}
                    items={[
                      { label: text.edit, icon: Pencil, onSelect: () => setEdited(pack) },
                      { label: text.remove, icon: Trash2, danger: true, onSelect: () => setRemoved(pack) },
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
