import { mimeTypes } from '@uprez/contracts/picture-formats';
import { formatEstimate, formatSize } from '../../lib/format.ts';
import { previewPlan } from '../../lib/preview-plan.ts';

const factor = 4;
const sizes = [
  { width: 320, height: 240 },
  { width: 640, height: 480 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
] as const;

const rows = sizes.flatMap((size) => {
  const request = { size, mediaType: mimeTypes.jpeg, scaleFactor: factor, format: 'jpeg', tier: 'free' } as const;
  const outcome = previewPlan(request);
  return outcome.ok ? [{ size, ...outcome.plan }] : [];
});

/** What the planner says of some usual sizes: the same function that answers before every job. */
export function EstimateTable() {
  return (
    <dl className="grid h-full grid-rows-4 divide-y divide-line text-sm">
      {rows.map(({ size, output, estimate }) => (
        <div key={size.width} className="flex items-center justify-between gap-3 px-4 tabular-nums">
          <dt className="text-muted">{`${formatSize(size)} -> ${formatSize(output)}`}</dt>
          <dd className="shrink-0 font-medium">{formatEstimate(estimate.seconds).replace('about ', '')}</dd>
        </div>
      ))}
    </dl>
  );
}
