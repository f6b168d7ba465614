import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type AnomalyState, anomalyStates } from '@uprez/contracts/policy/anomalies';
import type { Anomaly } from '@uprez/contracts/schemas/access-log';
import { describeAnomaly } from '@uprez/contracts/texts/anomalies';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatTime } from '../../../lib/format/format.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { useMay } from '../frame/use-may.ts';
import { PageFooter } from '../table/page-footer.tsx';
import { usePages } from '../table/use-pages.ts';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { eventsOfAnomaly } from './links.ts';
import { accessMessages } from './messages.ts';

const text = accessMessages.anomalies;
const states = anomalyStates.map((value) => ({ value, label: text.states[value] }));

type ItemProps = { anomaly: Anomaly; onAcknowledge: (() => void) | undefined };

function AnomalyItem({ anomaly, onAcknowledge }: ItemProps) {
  const { foundAt, acknowledgedAt, acknowledgedBy, note } = anomaly;
  const sentence = describeAnomaly(anomaly);
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        <p>{sentence}</p>
        <p className="text-muted text-xs">
          {acknowledgedAt
            ? text.acknowledgedBy(acknowledgedBy ?? text.deleted, formatTime(acknowledgedAt))
            : text.found(formatTime(foundAt))}
        </p>
        {note && <p className="whitespace-pre-line text-sm">{note}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to={eventsOfAnomaly(anomaly)}
          aria-label={text.showEventsOf(sentence)}
          className={buttonStyle({ look: 'secondary', size: 'small' })}
        >
          {text.showEvents}
        </Link>
        {onAcknowledge && (
          <Button look="secondary" size="small" aria-label={text.acknowledgeOf(sentence)} onClick={onAcknowledge}>
            {text.acknowledge}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What rules found in the access log. */
export function AnomaliesCard() {
  const mayManage = useMay('anomalies.manage');
  const [status, setStatus] = useState<AnomalyState>('open');
  const [chosen, setChosen] = useState<Anomaly>();
  const query = usePages([adminRoutes.adminListAnomalies.path, status], ({ query: page, signal }) =>
    adminApi.adminListAnomalies({ query: { ...page, status }, signal }),
  );
  return (
    <Card
      title={text.title}
      actions={
        <div className="w-64 max-w-full">
          <Segmented legend={text.state} legendHidden options={states} value={status} onChange={setStatus} />
        </div>
      }
    >
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-12" />}
        isEmpty={({ pages }) => pages.every(({ rows }) => rows.length === 0)}
        empty={<p className="text-muted text-sm">{text.none[status]}</p>}
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          return (
            <>
              <ul className="max-h-96 divide-y divide-line overflow-y-auto text-sm">
                {rows.map((anomaly) => (
                  <AnomalyItem
                    key={anomaly.id}
                    anomaly={anomaly}
                    onAcknowledge={mayManage && status === 'open' ? () => setChosen(anomaly) : undefined}
                  />
                ))}
              </ul>
              <PageFooter query={query} shown={rows.length} total={Math.max(pages[0]?.total ?? 0, rows.length)} />
            </>
          );
        }}
      </QueryView>
      {chosen && <AcknowledgeDialog anomaly={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  );
}
