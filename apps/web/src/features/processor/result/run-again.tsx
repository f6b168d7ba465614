import { engineNames } from '@uprez/contracts/policy/engines';
import {
  factorRange,
  formatNames,
  formatTraits,
  type OutputFormat,
  outputFormats,
} from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { Plan } from '@uprez/contracts/policy/plan-versions';
import type { Job } from '@uprez/contracts/schemas/job';
import { formatBytes } from '@uprez/contracts/texts/format';
import { ChevronDown } from 'lucide-react';
import { useEngines } from '../../../lib/api/queries.ts';
import { dismissToasts } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { recipeMessages } from '../../../ui/recipe/messages.ts';
import { isAvailable, limitedBy } from '../../../ui/recipe/recipe-settings.ts';
import { processorMessages as text } from '../messages.ts';
import { processImage } from '../run/process-image.ts';
import { useProcessor } from '../state/processor-store.ts';
import { fitSettings, type Settings, useSettings } from '../state/settings-store.ts';
import { useTransparency } from '../state/use-transparency.ts';
import { repairOf } from './repair.ts';

function rerun(settings: Settings, change: Partial<Settings>) {
  dismissToasts();
  useSettings.setState(change);
  void processImage({ ...settings, ...change });
}

type AgainProps = { job: Job; ownPlan: Plan };

function useFittedSettings(ownPlan: Plan): Settings {
  const { data: engines } = useEngines();
  return fitSettings(useSettings(), { ownPlan, signedIn: true, engines });
}

/** Says that the file is larger than the original, and repairs it. */
export function LargerNotice({ job, ownPlan }: AgainProps) {
  const settings = useFittedSettings(ownPlan);
  const { originalSize, processedSize } = job;
  if (!processedSize) return null;
  return (
    <Notice kind="warning">
      <p>{text.larger(formatBytes(processedSize.fileSize), formatBytes(originalSize.fileSize))}</p>
      <Button look="secondary" size="small" className="mt-2" onClick={() => rerun(settings, repairOf(job, settings))}>
        {text.repair}
      </Button>
    </Notice>
  );
}

/** What a format would lose of the image, so that it is said before the click that starts the run. */
function useFormatLabel() {
  const image = useProcessor((state) => state.image);
  const losesTransparency = useTransparency(image, 'jpeg');
  return (format: OutputFormat) => {
    const traits = formatTraits[format];
    if (image?.frames && !traits.animated) return text.firstFrameOnly(formatNames[format]);
    return losesTransparency && !traits.alpha ? text.opaque(formatNames[format]) : formatNames[format];
  };
}

type Choice = { label: string; change: Partial<Settings> };
function ChoiceMenu({ name, settings, choices }: { name: string; settings: Settings; choices: readonly Choice[] }) {
  if (choices.length === 0) return null;
  return (
    <Menu
      label={`${text.again} ${name}`}
      trigger={
        <Button look="secondary" size="small" className="min-w-0 grow">
          {name}
          <ChevronDown aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        </Button>
      }
      items={choices.map(({ label, change }) => ({ label, onSelect: () => rerun(settings, change) }))}
    />
  );
}

export function RunAgain({ job, ownPlan }: AgainProps) {
  const { data: engines } = useEngines();
  const settings = useFittedSettings(ownPlan);
  const formatLabel = useFormatLabel();
  const allows = (by: 'ai' | 'standard', factor: number) => may(ownPlan, { what: 'scale', by, factor }).ok;
  const factors = Array.from({ length: factorRange.webMax }, (_, index) => index + 1);
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      <p className="text-sm">{text.again}</p>
      <div className="flex flex-wrap gap-2">
        <ChoiceMenu
          name={text.againEngine}
          settings={settings}
          choices={engineNames
            .filter((name) => name !== job.engine && isAvailable(name, engines))
            .filter((name) => allows(limitedBy(name), job.scaleFactor))
            .map((engine) => ({ label: engine, change: { engine } }))}
        />
        <ChoiceMenu
          name={text.againFactor}
          settings={settings}
          choices={factors
            .filter((factor) => factor !== job.scaleFactor && allows(limitedBy(settings.engine), factor))
            .map((scaleFactor) => ({
              label: recipeMessages.factor(scaleFactor),
              change: { scaleFactor, target: undefined },
            }))}
        />
        <ChoiceMenu
          name={text.againFormat}
          settings={settings}
          choices={outputFormats
            .filter((format) => format !== job.format && may(ownPlan, { what: 'format', format }).ok)
            .map((format) => ({ label: formatLabel(format), change: { format } }))}
        />
      </div>
    </div>
  );
}
