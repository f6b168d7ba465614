import { meters } from '@uprez/contracts/policy/meters';
import { type Pack, packSchema } from '@uprez/contracts/schemas/settings';
import { formatCount } from '@uprez/contracts/texts/format';
import * as z from 'zod';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { amountRange, parseAmount, toTyped } from './amounts.ts';
import { priceMessages } from './messages.ts';
import { putPack } from './packs.ts';
import { useSavePrices } from './use-prices.ts';

const text = priceMessages.dialog;
const { units, meter } = packSchema.shape;
const meterOptions = meters.toReversed().map((value) => ({ value, label: text.meters[value] }));
const unitsError = text.unitsError(formatCount(units.maxValue ?? 0));
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
export function PackDialog({ pack, onClose }: { pack: Pack | null; onClose: () => void }) {
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
      title={pack ? text.editTitle : text.addTitle}
      description={pack ? text.text : undefined}
      form={form}
      text={text}
      onClose={onClose}
    >
      <TextField
        label={text.units}
        type="number"
        inputMode="numeric"
        {...form.field('units', { valueAsNumber: true })}
      />
      <Select
        label={text.meter}
        value={form.watch('meter') ?? 'shared'}
        onChange={(value) => form.change({ meter: value })}
        options={meterOptions}
      />
      <TextField label={text.price} {...form.field('typed')} inputMode="decimal" autoComplete="off" />
    </FormDialog>
  );
}
