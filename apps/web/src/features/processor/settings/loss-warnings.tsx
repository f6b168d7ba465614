import {
  defaultFormat,
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
} from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import { Button } from '../../../ui/controls/button.tsx';
import { LiveNotices } from '../../../ui/feedback/live-notices.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { processorMessages as text } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { useSettings } from '../state/settings-store.ts';
import { useTransparency } from '../state/use-transparency.ts';

const use = (format: OutputFormat) => useSettings.setState({ format });

type LossWarningsProps = { image: SourceImage; format: OutputFormat | undefined; ownPlan: Plan };

/** What a format would lose of an image, each with a format that keeps it. Shown beside the button that starts the run. */
export function LossWarnings({ image, format, ownPlan }: LossWarningsProps) {
  const losesTransparency = useTransparency(image, format);
  const { frames } = image;
  const losesFrames = frames !== undefined && format !== undefined && !formatTraits[format].animated;
  const moving = outputFormats.filter(
    (name) => formatTraits[name].animated && may(ownPlan, { what: 'format', format: name }).ok,
  );
  return (
    <LiveNotices>
      {losesFrames && (
        <Notice kind="warning">
          <p>{text.firstFrame(formatNames[format], frames)}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            {moving.map((name) => (
              <Button key={name} look="secondary" size="small" onClick={() => use(name)}>
                {text.keepFrames(formatNames[name])}
              </Button>
            ))}
          </div>
        </Notice>
      )}
      {format && losesTransparency && !losesFrames && (
        <Notice kind="warning">
          <p>{text.background.lost(formatNames[format])}</p>
          <Button look="secondary" size="small" className="mt-2" onClick={() => use(defaultFormat)}>
            {text.background.keep(formatNames[defaultFormat])}
          </Button>
        </Notice>
      )}
    </LiveNotices>
  );
}
