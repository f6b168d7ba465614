import type { Job } from '@uprez/contracts/schemas/job';
import { JobReceiptDialog } from '../../ui/receipt/job-receipt-dialog.tsx';
import { JobDeletion } from './job-deletion.tsx';

/** What was asked about a job. The job is kept as it was: the list may lose it meanwhile. */
export type Question = { what: 'receipt' | 'deletion'; job: Job };

/** The answer to what was asked in the list. */
export function ActivityDialogs({ question, onDone }: { question: Question | undefined; onDone: () => void }) {
  if (!question) return null;
  if (question.what === 'deletion') return <JobDeletion job={question.job} onDone={onDone} />;
  return <JobReceiptDialog job={question.job} open onOpenChange={onDone} />;
}
