import { limits } from '@uprez/contracts/policy/limits';
import { useState } from 'react';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { LinkButton } from '../../../ui/recipe/recipe-fields.tsx';
import { processorMessages } from '../messages.ts';
import { useSettings } from '../state/settings-store.ts';

const text = processorMessages.fileSize;
const set = useSettings.setState;
/** Bytes. */
const kilobyte = 1_024;

/** The largest acceptable file. Empty: no limit. */
export function FileSizeField({ targetBytes }: { targetBytes: number | undefined }) {
  const [isOpen, setOpen] = useState(targetBytes !== undefined);
  const toggle = () => {
    setOpen(!isOpen);
    set({ targetBytes: undefined });
  };
  return (
    <div className="-mt-3 grid gap-1">
      {isOpen && (
        <NumberField
          label={text.label}
          hint={text.hint}
          value={targetBytes && targetBytes / kilobyte}
          onChange={(kilobytes) => set({ targetBytes: kilobytes && kilobytes * kilobyte })}
          min={limits.minTargetBytes / kilobyte}
          max={Math.floor(limits.maxTargetBytes / kilobyte)}
          suffix={text.unit}
        />
      )}
      <LinkButton onClick={toggle}>{isOpen ? text.unset : text.set}</LinkButton>
    </div>
  );
}
