import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { processorMessages } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import type { Settings } from '../state/settings-store.ts';

const PatchDialog = lazy(async () => ({ default: (await import('./patch-dialog.tsx')).PatchDialog }));

type CompareEnginesProps = { image: SourceImage; settings: Settings; ownPlan: Plan };

/** Only for files that the browser can decode. */
export function CompareEngines({ image: { source, url, size, hiddenFormat }, settings, ownPlan }: CompareEnginesProps) {
  const [open, setOpen] = useState(false);
  if (!size || hiddenFormat) return null;
  return (
    <>
      <Button look="secondary" size="small" className="justify-self-start" onClick={() => setOpen(true)}>
        {processorMessages.compare.open}
      </Button>
      {open && (
        <Suspense>
          <PatchDialog {...{ file: source, url, size, settings, ownPlan }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
