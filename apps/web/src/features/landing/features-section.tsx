import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { factorRange } from '@uprez/contracts/policy/image-formats';
import { plans } from '@uprez/contracts/policy/plans';
import type { PublicStats } from '@uprez/contracts/schemas/public-stats';
import { Clock, FileImage, Images, type LucideIcon, MapPinOff, Maximize, ReceiptText } from 'lucide-react';
import { anchors } from '../../site-map.ts';
import { Evidence } from './evidence.tsx';
import { LandingSection } from './landing-section.tsx';
import { landingMessages } from './messages.ts';

const factText = landingMessages.facts;
const numberText = landingMessages.numbers;
const rows = Object.values(plans);
const mostFiles = Math.max(...rows.map(({ bulkFiles }) => bulkFiles));
const leastPixels = Math.min(...rows.map(({ maxOutputPixels }) => maxOutputPixels));

const facts: readonly [LucideIcon, { title: string; sentence: string }][] = [
  [Images, factText.batch(mostFiles)],
  [FileImage, factText.formats],
  [Maximize, factText.large(factorRange.max, leastPixels)],
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

/** Recent statistics of the site. Hidden while they are low or unknown. */
function SiteNumbers() {
  const { data } = useQuery<PublicStats>({ queryKey: [routes.publicStats.path] });
  if (data?.imagesMade === undefined) return null;
  const { days, imagesMade, megapixelsMade, medianProcessingTime } = data;
  const numbers = [
    numberText.images(imagesMade),
    ...(megapixelsMade === undefined ? [] : [numberText.megapixels(megapixelsMade)]),
    ...(medianProcessingTime === undefined ? [] : [numberText.median(medianProcessingTime)]),
  ];
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

export function FeaturesSection() {
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
