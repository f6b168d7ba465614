import { routeUrl } from '@uprez/client/route-url';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Job } from '@uprez/contracts/schemas/job';
import { CircleX, Download, ReceiptText, Trash2 } from 'lucide-react';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';
import type { JobDialog } from './activity-dialogs.tsx';
import { activityMessages as text } from './messages.ts';

function DownloadLink({ job }: { job: Job }) {
  return (
    <Tooltip text={text.downloadHint}>
      <a
        href={routeUrl('downloadImage', { params: { id: job.id } })}
        download
        aria-label={text.download(job.filename)}
        className={buttonStyle({ look: 'ghost', size: 'icon' })}
      >
        <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
      </a>
    </Tooltip>
  );
}

type ActivityActionsProps = { job: Job; onAsk: (question: JobDialog) => void };

function menuItems({ job, onAsk }: ActivityActionsProps) {
  const removal = isFinal(job.status)
    ? { label: text.deleteNow, icon: Trash2, danger: true }
    : { label: text.cancel, icon: CircleX, danger: true };
  const receipt = { label: text.receipt, icon: ReceiptText, onSelect: () => onAsk({ what: 'receipt', job }) };
  return [
    ...(job.processedSize ? [receipt] : []),
    ...(job.status === 'expired' ? [] : [{ ...removal, onSelect: () => onAsk({ what: 'deletion', job }) }]),
  ];
}

/** A download link and a menu. Empty for an expired job without a receipt. */
export function ActivityActions(props: ActivityActionsProps) {
  const { filename, status } = props.job;
  const items = menuItems(props);
  return (
    <div className="flex">
      {status === 'completed' && <DownloadLink job={props.job} />}
      {items.length > 0 && <ActionsMenu label={text.more(filename)} items={items} />}
    </div>
  );
}
