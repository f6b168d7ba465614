import { factorRange } from '@uprez/contracts/policy/image-formats';
import type { User } from '@uprez/contracts/schemas/user';
import { useId } from 'react';
import { redirectToSignIn } from '../../../lib/session/redirect-to-sign-in.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EngineField } from '../../../ui/recipe/engine-field.tsx';
import { FormatField } from '../../../ui/recipe/format-field.tsx';
import { QualityField } from '../../../ui/recipe/quality-field.tsx';
import { processorMessages as text } from '../messages.ts';
import { CompareEngines } from '../preview/compare-engines.tsx';
import { useProcessor } from '../processor-store.ts';
import { RunMessage } from '../result/run-message.tsx';
import { PlanLimitNotice } from '../run/plan-limit-notice.tsx';
import { processImage } from '../run/process-image.ts';
import { QuotaExceeded } from '../run/quota-exceeded.tsx';
import { useExceededQuota } from '../run/use-exceeded-quota.ts';
import type { SourceImage } from '../source/image.ts';
import { AnimationNote } from './animation-note.tsx';
import { EstimateSummary } from './estimate-summary.tsx';
import { MoreSettings } from './more-settings.tsx';
import { fitSettings, recipeOf } from './recipe-of.ts';
import { useSettings } from './settings-store.ts';
import { SizeField } from './size-field.tsx';
import { useEstimate } from './use-estimate.ts';

const set = useSettings.setState;

type SettingsFormProps = { image: SourceImage; user: User | null };

/** The settings with an estimate and the process button. */
export function SettingsForm({ image, user }: SettingsFormProps) {
  const [forecastId, refusalId] = [useId(), useId()];
  const { failure, note } = useProcessor();
  const tier = user?.subscriptionTier ?? 'free';
  const settings = fitSettings(useSettings(), { tier, signedIn: user !== null });
  const recipe = recipeOf(settings);
  const estimate = useEstimate(image, recipe, tier);
  const { size } = image;
  const limit = estimate?.limit;
  const wall = useExceededQuota(estimate, user);
  const refused = limit !== undefined || wall !== undefined;
  const blocked = refused || !recipe;
  const start = () => (user ? void processImage(settings) : redirectToSignIn());
  useShortcut('process', start, !blocked);
  return (
    <>
      <SizeField settings={settings} tier={tier} signedIn={user !== null} size={size} />
      <div className="grid gap-2">
        <EngineField
          value={settings.engine}
          onChange={(engine) => set({ engine })}
          tier={tier}
          factor={settings.target ? factorRange.min : settings.scaleFactor}
        />
        <CompareEngines image={image} settings={settings} tier={tier} />
      </div>
      <FormatField value={settings.format} onChange={(format) => set({ format })} tier={tier} />
      <AnimationNote frames={image.frames} format={settings.format} tier={tier} />
      <QualityField value={settings.quality} onChange={(quality) => set({ quality })} format={settings.format} />
      <MoreSettings settings={settings} />
      <div
        data-action-bar
        className="sticky bottom-0 -mx-4 grid gap-3 -mb-4 rounded-b-card border-line border-t bg-surface p-4 lg:-bottom-5 lg:-mx-5 lg:-mb-5 lg:px-5"
      >
        {failure && <RunMessage key={failure} kind="danger" text={failure} />}
        {note && <RunMessage key={note} kind="info" text={note} />}
        <div id={forecastId}>
          {size && estimate ? (
            <EstimateSummary size={size} estimate={estimate} user={user} />
          ) : (
            <p className="text-muted text-sm">{recipe ? text.sizeUnknown : text.incomplete}</p>
          )}
        </div>
        {limit ? (
          <div id={refusalId}>
            <PlanLimitNotice
              limit={limit}
              tier={tier}
              onFactor={settings.target ? undefined : (scaleFactor) => set({ scaleFactor })}
            />
          </div>
        ) : (
          wall && (
            <div id={refusalId}>
              <QuotaExceeded wall={wall} onStandard={() => set({ engine: 'standard' })} />
            </div>
          )
        )}
        <Button
          size="wide"
          aria-describedby={refused ? `${forecastId} ${refusalId}` : forecastId}
          disabled={blocked}
          onClick={start}
        >
          {text.process}
        </Button>
      </div>
    </>
  );
}
