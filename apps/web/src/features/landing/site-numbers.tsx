import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { PublicStats } from '@uprez/contracts/schemas/public-stats';
import { landingMessages } from './messages.ts';

const text = landingMessages.numbers;

/** Recent statistics of the site. Hidden while they are low or unknown. */
export function SiteNumbers() {
  const { data } = useQuery<PublicStats>({ queryKey: [routes.publicStats.path] });
  if (data?.imagesMade === undefined) return null;
  const { days, imagesMade, megapixelsMade, medianProcessingTime } = data;
  const numbers = [
    text.images(imagesMade),
    ...(megapixelsMade === undefined ? [] : [text.megapixels(megapixelsMade)]),
    ...(medianProcessingTime === undefined ? [] : [text.median(medianProcessingTime)]),
  ];
  return (
    <section aria-label={text.title} className="grid gap-3">
      <dl className="flex flex-wrap gap-x-12 gap-y-4">
        {numbers.map(([value, what]) => (
          <div key={what} className="flex flex-col-reverse">
            <dt className="text-muted text-sm">{what}</dt>
            <dd className="font-bold text-xl tabular-nums tracking-tight">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-xs">{text.period(days)}</p>
    </section>
  );
}
