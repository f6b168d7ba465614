import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { factorRange, mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { PublicStats } from '@uprez/contracts/schemas/dashboard';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import { estimateSeconds } from '@uprez/imaging/pipeline/estimate';
import { Clock, FileImage, Images, type LucideIcon, MapPinOff, Maximize, ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useEngines } from '../../lib/api/queries.ts';
import { makeSiteEngines } from '../../lib/api/site-engines.ts';
import { formatSize, formatTotalEstimate } from '../../lib/format/format.ts';
import { previewPipeline } from '../../lib/images/preview-pipeline.ts';
import { anchors, paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { PlanCards } from '../pricing/plan-cards.tsx';
import { useAuth } from '../session/auth-provider.tsx';
import { ApiSection } from './api-section.tsx';
import { LandingSection } from './landing-section.tsx';
import { landingMessages } from './messages.ts';
import { samples } from './samples.ts';

const text = landingMessages.pricing;

export function LandingSections() {
  const { user } = useAuth();
  return (
    <>
      <FeaturesSection />
      {!user && (
        <>
          <LandingSection
            id={anchors.pricing}
            title={text.title}
            aside={
              <Link to={paths.pricing} className={buttonStyle({ look: 'secondary' })}>
                {text.compare}
              </Link>
            }
          >
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <p className="max-w-2xl text-muted">{text.lead}</p>
              <PlanCards user={user} />
            </div>
          </LandingSection>
          <ApiSection origin={window.location.origin} />
        </>
      )}
    </>
  );
}

const featuresText = landingMessages.features;

const [sample] = samples;

const style = 'h-full w-1/2 bg-[length:380%] bg-position-[30%_34%] bg-no-repeat';

/** The original is scaled without smoothing. */
function Crops() {
  return (
    <div className="flex h-full gap-px bg-line">
      <div className={`${style} [image-rendering:pixelated]`} style={{ backgroundImage: `url(${sample.before})` }} />
      <div className={style} style={{ backgroundImage: `url(${sample.after})` }} />
    </div>
  );
}

const tableFactor = 4;

const recipe = { ...recipeDefaults, scaleFactor: tableFactor, format: 'jpeg' } as const;

const sizes = [
  [320, 240],
  [640, 480],
  [1024, 768],
  [1920, 1080],
] as const;

/** Uses the same planner as jobs. */
function EstimateTable({ engines }: { engines: readonly Engine[] }) {
  const known = {
    mediaType: mimeTypes.jpeg,
    ownPlan: currentPlans.free,
    recipe,
    engines: makeSiteEngines(engines),
  } as const;
  const rows = sizes.flatMap(([width, height]) => {
    const size = { width, height };
    const outcome = previewPipeline({ ...known, size });
    if (!outcome.ok) return [];
    const { output, estimate } = outcome.pipeline;
    const time = { seconds: estimate.seconds, minSeconds: estimateSeconds(outcome.pipeline) };
    return [[`${formatSize(size)} -> ${formatSize(output)}`, formatTotalEstimate(time)] as const];
  });
  return <FactRows rows={rows} />;
}

function FactRows({ rows }: { rows: readonly (readonly [what: string, value: string])[] }) {
  return (
    <dl className="flex h-full flex-col divide-y divide-line text-sm">
      {rows.map(([what, value]) => (
        <div key={what} className="flex flex-1 items-center justify-between gap-3 px-4 tabular-nums last:font-medium">
          <dt className="text-muted">{what}</dt>
          <dd className="shrink-0 text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Claim({ title, sentence, children }: { title: string; sentence: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] content-start items-center gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-1">
      <div className="h-52 overflow-hidden rounded-card border border-line bg-surface">{children}</div>
      <div className="grid gap-2">
        <h3 className="text-base">{title}</h3>
        <p className="text-muted text-sm">{sentence}</p>
      </div>
    </li>
  );
}

function Evidence() {
  const engines = useEngines();
  const auto = engines.data?.find(({ isAuto }) => isAuto)?.name;
  return (
    <ul className="grid gap-8 lg:grid-cols-3">
      <Claim {...featuresText.network}>
        <Crops />
      </Claim>
      <Claim title={featuresText.forecast.title} sentence={featuresText.forecast.sentence(tableFactor, auto)}>
        <QueryView query={engines} skeleton={<Skeleton className="m-4 h-44" />}>
          {(data) => <EstimateTable engines={data} />}
        </QueryView>
      </Claim>
      <Claim title={featuresText.failure.title} sentence={featuresText.failure.sentence}>
        <FactRows rows={[...featuresText.failure.rows, featuresText.failure.total]} />
      </Claim>
    </ul>
  );
}

const factText = landingMessages.facts;

const numberText = landingMessages.numbers;

const rows = Object.values(currentPlans);

const maxFiles = Math.max(...rows.map(({ bulkFiles }) => bulkFiles));

const minOutputPixels = Math.min(...rows.map(({ maxOutputPixels }) => maxOutputPixels));

const facts: readonly [LucideIcon, { title: string; sentence: string }][] = [
  [Images, factText.batch(maxFiles)],
  [FileImage, factText.formats],
  [Maximize, factText.large(factorRange.max, minOutputPixels)],
  [Clock, factText.deletion],
  [MapPinOff, factText.metadata],
  [ReceiptText, factText.receipt],
];

function FactGrid() {
  return (
    <ul className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([Icon, { title, sentence }]) => (
        <li key={title} className="grid content-start gap-2 bg-surface p-5">
          <Icon aria-hidden="true" strokeWidth={1.5} className="size-5 text-muted" />
          <h3 className="mt-1 text-base">{title}</h3>
          <p className="text-muted text-sm">{sentence}</p>
        </li>
      ))}
    </ul>
  );
}

/** Recent statistics for the site. Hidden while they are unknown or low. */
function SiteNumbers() {
  const { data } = useQuery<PublicStats>({ queryKey: [apiRoutes.publicStats.path] });
  if (!data) return null;
  const { days, imagesMade, megapixelsMade, medianProcessingTime, uptime } = data;
  const numbers = [
    ...(imagesMade === undefined ? [] : [numberText.images(imagesMade)]),
    ...(megapixelsMade === undefined ? [] : [numberText.megapixels(megapixelsMade)]),
    ...(medianProcessingTime === undefined ? [] : [numberText.median(medianProcessingTime)]),
    ...(uptime === undefined ? [] : [numberText.uptime(uptime)]),
  ];
  if (numbers.length === 0) return null;
  return (
    <section aria-label={numberText.title} className="grid gap-3">
      <dl className="flex flex-wrap gap-x-12 gap-y-4">
        {numbers.map(([value, what]) => (
          <div key={what} className="flex flex-col-reverse">
            <dt className="text-muted text-sm">{what}</dt>
            <dd className="font-bold text-xl tabular-nums tracking-tight">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-xs">{numberText.period(days)}</p>
    </section>
  );
}

function FeaturesSection() {
  return (
    <LandingSection id={anchors.features} title={landingMessages.features.title}>
      <div className="grid gap-12">
        <Evidence />
        <FactGrid />
        <SiteNumbers />
      </div>
    </LandingSection>
  );
}
