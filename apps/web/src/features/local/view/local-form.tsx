import { engineDescriptions } from '@uprez/contracts/policy/images/engines';
import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import { localEngines, localFactors, localFormats } from '@uprez/contracts/policy/images/local-mode';
import { estimateLocalSeconds } from '@uprez/imaging/browser/estimate-local';
import { useEffect, useId, useMemo } from 'react';
import { formatEstimate, formatSize } from '../../../lib/format/format.ts';
import { preferServer } from '../../../lib/images/processing-place.ts';
import { useFocusOnMount } from '../../../lib/layout/focus.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { paths } from '../../../site-map.ts';
import { Button, linkStyle } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Notice, RetryNotice } from '../../../ui/feedback/notice.tsx';
import { Spinner } from '../../../ui/layout/logo-mark.tsx';
import { ReceiptLine } from '../../../ui/receipt/receipt-line.tsx';
import { QualityField } from '../../../ui/recipe/recipe-fields.tsx';
import { localMessages as text } from '../messages.ts';
import { makeLocalPipeline, readDevice } from '../run/local-pipeline.ts';
import { prepareModel, runLocally } from '../run/run-locally.ts';
import { type LocalImage, type LocalSettings, useLocal } from '../state/local-store.ts';
import type { Probe } from '../worker/worker-messages.ts';

export function LocalForm({ image }: { image: LocalImage }) {
  const id = useId();
  const { settings, failure } = useLocal();
  const { planned, seconds, needsModel, probe } = useLocalPipeline(image);
  const pipeline = planned?.pipeline;
  const limit = image.size ? planned?.limit : text.undecodable;
  const facts = pipeline && [
    `${formatSize(pipeline.source)} -> ${formatSize(pipeline.output)}`,
    ...(seconds === undefined ? [] : [formatEstimate(seconds)]),
    text.facts,
  ];
  const isReady = pipeline !== undefined && seconds !== undefined;
  const start = () => isReady && void runLocally(pipeline, seconds);
  useShortcut('process', start, isReady);
  return (
    <>
      {image.size && <Fields settings={settings} />}
      <div
        data-action-bar
        className="sticky bottom-0 -mx-4 grid gap-3 -mb-4 rounded-b-card border-line border-t bg-surface p-4 lg:-bottom-5 lg:-mx-5 lg:-mb-5 lg:px-5"
      >
        {failure && <Failure key={failure} message={text.failures[failure]} />}
        <div id={id} className="grid gap-3 text-sm tabular-nums">
          {facts && (
            <p>
              <ReceiptLine text={facts.join(' · ')} />
            </p>
          )}
          {pipeline && probe && <EstimateBasis probe={probe} />}
          {needsModel && <ModelNotice />}
          {limit && (
            <Notice kind="warning">
              {limit} {!planned?.isGeneral && <ServerLink />}
            </Notice>
          )}
        </div>
        <Button size="wide" aria-describedby={id} disabled={!isReady} onClick={start}>
          {text.process}
        </Button>
        {!limit && <ServerLink className={linkStyle} />}
      </div>
    </>
  );
}

const changeSettings = (settings: Partial<LocalSettings>) =>
  useLocal.setState((state) => ({ settings: { ...state.settings, ...settings } }));

const factors = Array.from({ length: localFactors.max - localFactors.min + 1 }, (_, i) => localFactors.min + i);

function Fields({ settings }: { settings: LocalSettings }) {
  const { engine, scaleFactor, format, quality } = settings;
  return (
    <>
      <Segmented
        legend={text.scale}
        options={factors.map((factor) => ({ value: String(factor), label: text.factor(factor) }))}
        value={String(scaleFactor)}
        onChange={(next) => changeSettings({ scaleFactor: Number(next) })}
      />
      <Select
        label={text.engine}
        value={engine}
        onChange={(next) => changeSettings({ engine: next })}
        options={localEngines.map((name) => ({ value: name, label: name, hint: engineDescriptions[name] }))}
        hint={engineDescriptions[engine]}
      />
      <Segmented
        legend={text.format}
        options={localFormats.map((name) => ({ value: name, label: formatNames[name] }))}
        value={format}
        onChange={(next) => changeSettings({ format: next })}
      />
      <QualityField quality={quality} settings={{ engine }} format={format} onChange={changeSettings} />
    </>
  );
}

function ModelNotice() {
  const { model } = useLocal();
  if (model.state === 'loading')
    return (
      <div className="flex items-center gap-3 text-muted">
        <Spinner label={text.model.loading} />
        <p aria-hidden="true">{text.model.loading}</p>
      </div>
    );
  if (model.state === 'missing')
    return (
      <Notice kind="warning">
        {text.model.missing} <ServerLink />
      </Notice>
    );
  if (model.state === 'failed')
    return <RetryNotice onRetry={() => void prepareModel()}>{text.failures[model.failure]}</RetryNotice>;
  return null;
}

const nameBackend = ({ backend, threads }: Probe) =>
  backend === 'webgpu' ? text.backends.webgpu : text.backends.wasm(threads);

const EstimateBasis = ({ probe }: { probe: Probe }) => (
  <p className="text-muted text-xs">
    {text.measured(nameBackend(probe))}
    {!probe.hasGpu && ` ${text.noGpu}`}
  </p>
);

function Failure({ message }: { message: string }) {
  const place = useFocusOnMount<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Notice kind="danger">
        {message} <ServerLink />
      </Notice>
    </div>
  );
}

/**
 * Creates the pipeline for the chosen options, and loads the model if the pipeline needs it. `seconds`: estimated
 * processing time. Undefined until a required model has been measured.
 */
function useLocalPipeline({ source, size }: LocalImage) {
  const { settings, model } = useLocal();
  const device = useMemo(readDevice, []);
  const planned = size && makeLocalPipeline({ size, source, settings, device, backend: model.probe?.backend });
  const usesModel = settings.engine !== 'standard';
  const needsModel = usesModel && planned?.pipeline !== undefined;
  useEffect(() => {
    if (needsModel && model.state === 'none') void prepareModel();
  }, [needsModel, model.state]);
  const isReady = !usesModel || model.state === 'ready';
  const { pixelsPerSecond = 1, stripPixelsPerSecond = 1 } = model.probe ?? {};
  const speed = planned?.pipeline?.strip ? stripPixelsPerSecond : pixelsPerSecond;
  const seconds = planned?.pipeline && isReady ? estimateLocalSeconds(planned.pipeline, speed) : undefined;
  return { planned, seconds, needsModel, probe: usesModel ? model.probe : undefined };
}

const inText = 'whitespace-nowrap underline underline-offset-4 hover:text-ink';

/** Loads a new document, because the home page's document isn't cross-origin isolated. */
const ServerLink = ({ className = inText }: { className?: string }) => (
  <a href={paths.home} className={className} onClick={preferServer}>
    {text.server}
  </a>
);
