import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { SlidersHorizontal } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { Popover } from '../../../ui/overlays/menu.tsx';
import { FactorField, FormatField } from '../../../ui/recipe/recipe-fields.tsx';
import { limitSettings, type RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { bulkMessages as text } from '../messages.ts';
import { rowSettings } from '../state/bulk-settings.ts';
import { changeRow } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';

type RowOptionsProps = { row: Row; settings: RecipeSettings; ownPlan: Plan };

/** Scale and format of one image, instead of those for all images. */
export function RowOptions({ row: { id, name, options, imageSize }, settings, ownPlan }: RowOptionsProps) {
  const field = {
    settings: limitSettings(rowSettings(settings, { options }), { ownPlan }),
    ownPlan,
    onChange: (change: Partial<RecipeSettings>) =>
      changeRow(id, (row) => ({ ...row, options: { ...row.options, ...change } })),
  };
  const trigger = (
    <Button look="ghost" size="icon" aria-label={text.rowOptions(name)}>
      <SlidersHorizontal aria-hidden="true" strokeWidth={1.75} className={options ? 'size-4 text-accent' : 'size-4'} />
    </Button>
  );
  return (
    <Popover label={text.rowOptions(name)} trigger={trigger}>
      <div className="grid gap-4">
        <FactorField {...field} size={imageSize} signedIn />
        <FormatField
          value={field.settings.format}
          onChange={(format) => field.onChange({ format })}
          ownPlan={ownPlan}
        />
        <Button
          look="secondary"
          size="small"
          className="justify-self-start"
          disabled={!options}
          onClick={() => changeRow(id, (row) => ({ ...row, options: undefined }))}
        >
          {text.resetRowOptions}
        </Button>
      </div>
    </Popover>
  );
}
