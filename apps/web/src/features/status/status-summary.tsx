import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Status } from '@uprez/contracts/schemas/status';
import { statusFiles } from '@uprez/contracts/texts/pages';
import { formatCoverage, formatUptime } from '@uprez/contracts/texts/status';
import { formatShortTime, formatTime } from '../../lib/format/format.ts';
import { linkStyle } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ServiceBadge } from '../../ui/status/state-badges.tsx';
import { statusMessages as text } from './messages.ts';

/** The state of all services together, and the time of the last check. */
export const OverallCard = ({ state, description, checkedAt }: Status) => (
  <Card>
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="font-medium text-lg">{description}</p>
      <ServiceBadge state={state} />
    </div>
    <p className="text-muted text-sm">{checkedAt === null ? text.neverChecked : text.checked(formatTime(checkedAt))}</p>
  </Card>
);

/** The figures of the last days. */
export function StatusFigures({ uptime, coverage, responseMs, processingMs }: Status) {
  const figures = [
    {
      label: text.figures.uptime,
      value: uptime === null ? text.none : formatUptime(uptime),
      note: coverage === null ? undefined : text.figures.coverage(formatCoverage(coverage)),
    },
    { label: text.figures.response, value: responseMs === null ? text.none : formatShortTime(responseMs) },
    { label: text.figures.processing, value: processingMs === null ? text.none : formatShortTime(processingMs) },
  ];
  return (
    <section aria-label={text.figures.title}>
      <dl className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-3">
        {figures.map(({ label, value, note }) => (
          <div key={label} className="grid content-start gap-1 bg-surface p-4 sm:p-5">
            <dt className="text-muted text-sm">{label}</dt>
            <dd className="font-bold text-xl tabular-nums tracking-tight">{value}</dd>
            {note && <dd className="text-muted text-xs">{note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}

const formats = [
  [text.formats.json, apiRoutes.getStatus.path],
  [text.formats.feed, statusFiles.feed],
  [text.formats.badge, statusFiles.badge],
] as const;

/** How the figures are calculated, and the same data in other formats. */
export const StatusNotes = () => (
  <section aria-label={text.formula.title} className="grid gap-3">
    <h2 className="text-lg">{text.formula.title}</h2>
    <div className="grid max-w-180 gap-2 text-muted text-sm">
      {text.formula.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
    <ul aria-label={text.formats.title} className="flex flex-wrap gap-x-4">
      {formats.map(([label, href]) => (
        <li key={href}>
          <a href={href} className={`${linkStyle} px-0!`}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </section>
);
