import { useQuery } from '@tanstack/react-query';
import type { Job } from '@uprez/contracts/job';
import type { Receipt } from '@uprez/contracts/receipt';
import { routes } from '@uprez/contracts/routes';
import { receiptFacts } from '../../lib/receipt-facts.ts';
import { receiptMessages as text } from '../../messages/receipt.ts';
import { Dialog } from '../dialog.tsx';
import { QueryView } from '../query-view.tsx';
import { Skeleton } from '../skeleton.tsx';
import { FactList } from './fact-list.tsx';
import { ReceiptActions } from './receipt-actions.tsx';

type JobReceiptDialogProps = {
  job: Pick<Job, 'id' | 'filename'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

function Body({ id }: { id: string }) {
  const query = useQuery<Receipt>({ queryKey: [routes.listJobs.path, id, 'receipt'] });
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-72" />}>
      {(receipt) => (
        <div className="grid gap-3">
          <FactList facts={receiptFacts(receipt)} />
          <ReceiptActions receipt={receipt} name={`receipt-${id}.json`} />
        </div>
      )}
    </QueryView>
  );
}

/** How the result of a finished job came about: engine, sizes, times, hashes. */
export function JobReceiptDialog({ job: { id, filename }, open, onOpenChange }: JobReceiptDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={text.job} description={text.jobText(filename)} wide>
      <Body id={id} />
    </Dialog>
  );
}
