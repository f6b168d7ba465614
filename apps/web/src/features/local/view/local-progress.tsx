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
  const cancel = useFocusOnMount<HTMLButtonElement>();
  const seconds = useRemainingTime(share, plannedSeconds);
  const percent = Math.floor(100 * share);
  const shown = formatPercent(percent);
  return (
    <div className="grid gap-4">
      <ProgressBar
        label={text.processing}
        percent={percent}
        valueText={seconds === undefined ? shown : text.left(shown, formatEstimate(seconds))}
      />
      <p className="text-muted text-sm">{text.facts}</p>
      <Button ref={cancel} look="secondary" size="wide" onClick={cancelLocalRun}>
        {text.cancel}
      </Button>
    </div>
  );
}
