import type { Job } from '@uprez/contracts/schemas/job';
import { Copy, ReceiptText, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { dashboardKey } from '../../../lib/api/queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { canCopyImages, copyImage } from '../../../lib/browser/copy-image.ts';
import { announce } from '../../../lib/notifications/announce.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { redirectAfterSessionEnd } from '../../../lib/session/redirect-to-sign-in.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { processorMessages as text } from '../messages.ts';
import { endRun } from '../state/processor-store.ts';
import { deleteJobId, jobKey } from '../state/run-storage.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}));
const JobReceiptDialog = lazy(async () => ({
  default: (await import('../../../ui/receipt/job-receipt-dialog.tsx')).JobReceiptDialog,
}));

async function copy(url: string) {
  try {
    await copyImage(url);
    announce(text.copied);
    showToast({ title: text.copied });
  } catch {
    showToast({ title: text.copyFailed, description: text.copyUnknown, destructive: true });
  }
}

/** Copies the result, if the browser supports it. */
export function CopyResult({ url }: { url: string }) {
  if (!canCopyImages()) return null;
  return (
    <Button look="secondary" size="wide" onClick={() => void copy(url)}>
      <Copy aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.copy}
    </Button>
  );
}

export function ReceiptButton({ job }: { job: Job }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="secondary" size="small" onClick={() => setOpen(true)}>
        <ReceiptText aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        {text.receipt}
      </Button>
      {open && (
        <Suspense>
          <JobReceiptDialog job={job} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}

/** Deletes the result after confirmation, and shows the receipt. */
export function DeleteButton({ job }: { job: Job }) {
  const [open, setOpen] = useState(false);
  const deletion = useResourceMutation({
    call: async () => (await api.deleteJob({ params: { id: job.id } })).data,
    onSuccess: (data) => {
      deleteJobId();
      const deletion = 'objects' in data ? { receipt: data, filename: job.filename } : undefined;
      endRun({ note: text.deleted, deletion });
      queryClient.removeQueries({ queryKey: jobKey(job.id) });
      return queryClient.invalidateQueries({ queryKey: dashboardKey });
    },
    onError: (error) => hasErrorCode(error, 'not_signed_in') && redirectAfterSessionEnd(),
    errorTitle: text.deleteFailed,
  });
  return (
    <>
      <Button look="danger" size="small" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" strokeWidth={1.75} className="size-3.5" />
        {text.deleteNow}
      </Button>
      {open && (
        <Suspense>
          <ConfirmDialog
            open={open}
            onOpenChange={setOpen}
            title={text.deleteTitle}
            text={text.deleteText}
            confirm={text.deleteConfirm}
            onConfirm={() => deletion.mutate()}
            pending={deletion.isPending}
          />
        </Suspense>
      )}
    </>
  );
}
