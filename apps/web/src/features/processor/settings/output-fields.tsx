import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { FormatField, QualityField } from '../../../ui/recipe/recipe-fields.tsx';
import type { SourceImage } from '../state/image.ts';
import { type Settings, useSettings } from '../state/settings-store.ts';
import { useTransparency } from '../state/use-transparency.ts';
import { BackgroundField } from './background-field.tsx';
import { FileSizeField } from './file-size-field.tsx';

const set = useSettings.setState;

type OutputFieldsProps = {
  settings: Settings;
  image: SourceImage;
  ownPlan: Plan;
  /** The format of the result; undefined if it is not known yet. */
  format: OutputFormat | undefined;
};

/** The format of the result and what depends on it. */
export function OutputFields({ settings, image, ownPlan, format }: OutputFieldsProps) {
  const isFlattened = useTransparency(image, format);
  return (
    <>
      <FormatField
        value={settings.format}
        onChange={(next) => set({ format: next })}
        ownPlan={ownPlan}
        autoFormat={format}
      />
      {isFlattened && <BackgroundField color={settings.background} />}
      <QualityField quality={settings.quality} format={format} onChange={set} />
      {format && formatTraits[format].lossy && <FileSizeField targetBytes={settings.targetBytes} />}
    </>
  );
}
