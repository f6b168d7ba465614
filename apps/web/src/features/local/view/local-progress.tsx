import { formatPercent } from '@uprez/contracts/texts/format';
import { formatEstimate } from '../../../lib/format/format.ts';
import { useRemainingTime } from '../../../lib/format/time-estimator.ts';
import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { localMessages as text } from '../messages.ts';
import { cancelLocalRun } from '../run/run-locally.ts';

type LocalProgressProps = { share: number; plannedSeconds: number };

/** The progress of a run, with its remaining time, and a button that ends it. */
export function LocalProgress({ share, plannedSeconds }: LocalProgressProps) {
  // Not the button below: a key that is still down would cancel the run.
  const place = useFocusOnMount<HTMLElement>();
  const seconds = useRemainingTime(share, plannedSeconds);
  const percent = Math.floor(100 * share);
  const shown = formatPercent(percent);
  return (
    <section ref={place} tabIndex={-1} aria-label={text.progress} className="grid gap-4 outline-none">
      <ProgressBar
        label={text.processing}
        percent={percent}
        valueText={seconds === undefined ? shown : text.left(shown, formatEstimate(seconds))}
      />
      <p className="text-muted text-sm">{text.facts}</p>
      <Button look="secondary" size="wide" onClick={cancelLocalRun}>
        {text.cancel}
      </Button>
    </section>
  );
}
