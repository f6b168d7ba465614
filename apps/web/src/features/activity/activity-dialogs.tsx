import type { Job } from '@uprez/contracts/schemas/job';
import { JobReceiptDialog } from '../../ui/receipt/job-receipt-dialog.tsx';
import { JobDeletion } from './job-deletion.tsx';

/** An open dialog. It keeps the job, because the list may change meanwhile. */
export type JobDialog = { what: 'receipt' | 'deletion'; job: Job };

/** The open dialog of the list. */
export function ActivityDialogs({ question, onDone }: { question: JobDialog | undefined; onDone: () => void }) {
  if (!question) return null;
  if (question.what === 'deletion') return <JobDeletion job={question.job} onDone={onDone} />;
  return <JobReceiptDialog job={question.job} open onOpenChange={onDone} />;
}
