import { limits } from '@uprez/contracts/policy/limits';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { processorMessages } from '../messages.ts';

const text = processorMessages.target;

type LengthProps = { value: number | undefined; onChange: (value: number | undefined) => void };

/** The length of a side in pixels. */
export const SideField = (props: LengthProps & { label: string }) => (
  <NumberField {...props} min={1} max={limits.outputSide} suffix={text.pixels} />
);

export const MegapixelField = (props: LengthProps) => (
  <NumberField
    {...props}
    label={text.ways.megapixels}
    min={0.01}
    max={limits.outputPixels / 1e6}
    step={0.01}
    suffix={text.megapixels}
  />
);
