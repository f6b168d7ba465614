import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Job } from '@uprez/contracts/schemas/job';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { QueryView } from '../feedback/query-view.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { receiptMessages as text } from './messages.ts';
import { ReceiptDetails } from './receipt-details.tsx';
import { receiptFacts } from './receipt-facts.ts';

type JobReceiptDialogProps = {
  job: Pick<Job, 'id' | 'filename'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** The receipt of a finished job: engine, sizes, times, and hashes. */
export function JobReceiptDialog({ job: { id, filename }, open, onOpenChange }: JobReceiptDialogProps) {
  const query = useQuery<Receipt>({ queryKey: [routes.listJobs.path, id, 'receipt'], enabled: open });
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={text.job} description={text.jobText(filename)} wide>
      <QueryView query={query} skeleton={<Skeleton className="h-72" />}>
        {(receipt) => (
          <ReceiptDetails facts={receiptFacts(receipt)} receipt={receipt} filename={`receipt-${id}.json`} />
        )}
      </QueryView>
    </Dialog>
  );
}
