import { retention } from '@uprez/contracts/policy/plans';
import { metadataChoices } from '@uprez/contracts/recipe/recipe-choices';
import { ChevronRight } from 'lucide-react';
import { linkStyle } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { processorMessages as text } from '../messages.ts';
import { isChanged, resetSettings, type Settings, useSettings } from '../state/settings-store.ts';

const set = useSettings.setState;
/** At least one hour, so that the result is still there when the user returns. */
const hours = [1, 3, 6, 12, retention.resultMinutes / 60];

export function MoreSettings({ settings }: { settings: Settings }) {
  const { metadata, gps } = settings;
  return (
    <details className="group border-line border-t pt-3">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1.5 rounded-control text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          strokeWidth={1.75}
          className="size-4 text-muted transition-transform group-open:rotate-90"
        />
        {text.more}
      </summary>
      <div className="mt-3 grid gap-4">
        <Select
          label={text.retention}
          value={String(settings.retention)}
          onChange={(next) => set({ retention: Number(next) })}
          options={hours.map((value) => ({ value: String(value), label: text.hours(value) }))}
        />
        <Select
          label={text.metadata}
          value={metadata}
          onChange={(next) => set({ metadata: next, gps: gps && next === 'all' })}
          options={metadataChoices.map((value) => ({ value, ...text.metadataChoices[value] }))}
          hint={text.metadataChoices[metadata].hint}
        />
        {metadata === 'all' && <Checkbox label={text.gps} checked={gps} onChange={(next) => set({ gps: next })} />}
        {isChanged(useSettings()) && (
          <button type="button" className={`${linkStyle} justify-self-start px-0!`} onClick={resetSettings}>
            {text.reset}
          </button>
        )}
      </div>
    </details>
  );
}
