import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Damage } from '@uprez/imaging/engine/detail/find-damage';
import { useEngines } from '../../../lib/api/queries.ts';
import { defaultEngines, makeSiteEngines, type SiteEngines } from '../../../lib/api/site-engines.ts';
import { isDisplayable } from '../../../lib/images/image-size.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { LiveNotices } from '../../../ui/feedback/live-notices.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { processorMessages } from '../messages.ts';
import type { SourceImage } from '../state/image.ts';
import { isAccepted, type Settings, useSettings } from '../state/settings-store.ts';

const text = processorMessages.enhance;

type EnhanceOfferProps = { image: SourceImage; settings: Settings; ownPlan: Plan };

/** Offers to enhance the image at its own size if it is damaged, until the user dismisses the offer. */
export function EnhanceOffer({ image, settings, ownPlan }: EnhanceOfferProps) {
  const { data: known } = useEngines();
  const engines = known ? makeSiteEngines(known) : defaultEngines;
  const change = findEnhancement(image, settings, { ownPlan, engines });
  const queryClient = useQueryClient();
  const queryKey = ['damage', image.url];
  const { data: damage } = useQuery({
    queryKey,
    queryFn: ({ signal }) => measureDamage(image.source, signal),
    enabled: change !== undefined,
  });
  return (
    <LiveNotices>
      {damage && change && (
        <Notice kind="info">
          <p>{text[damage]}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button look="secondary" size="small" onClick={() => useSettings.setState(change)}>
              {text.apply}
            </Button>
            <Button look="ghost" size="small" onClick={() => queryClient.setQueryData(queryKey, null)}>
              {text.dismiss}
            </Button>
          </div>
        </Notice>
      )}
    </LiveNotices>
  );
}

type OfferOptions = { ownPlan: Plan; engines: SiteEngines };

/**
 * Returns the settings that enhance an image at its own size. Undefined if they are set, or don't apply: to animations,
 * pixel art, textures, and images that the browser can't decode.
 */
function findEnhancement(image: SourceImage, settings: Settings, options: OfferOptions): Partial<Settings> | undefined {
  const { size, hiddenFormat, frames = 1, traits } = image;
  if (!size || hiddenFormat || !isDisplayable(size) || frames > 1) return undefined;
  const { engine, scaleFactor, target, edges, alpha } = settings;
  if (engine === 'nearest' || edges === 'wrap' || (alpha === 'data' && traits?.hasAlpha !== false)) return undefined;
  if (isAiEngine(engine) && scaleFactor === 1 && !target) return undefined;
  const change = {
    scaleFactor: 1,
    target: undefined,
    engine: isAiEngine(engine) ? engine : options.engines.autoEngine,
  };
  const enhances = isAiEngine(change.engine) && isAccepted({ ...settings, ...change }, { ...image, size }, options);
  return enhances ? change : undefined;
}

const timeoutMs = 60_000;

/** Measures an image in a worker, because that takes up to seconds. Returns null if it isn't damaged. */
async function measureDamage(file: File, signal: AbortSignal): Promise<Damage | null> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const worker = new Worker(new URL('./damage-worker.ts', import.meta.url), { type: 'module', name: 'damage-worker' });
  try {
    return await new Promise<Damage | null>((resolve, reject) => {
      stop.addEventListener('abort', () => reject(stop.reason));
      worker.onmessage = ({ data }: MessageEvent<Damage | null>) => resolve(data);
      worker.onerror = () => reject(new Error("the worker couldn't start"));
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}
