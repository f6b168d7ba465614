import type { DeletionReceipt } from '@uprez/contracts/schemas/job';
import { formatTime } from '../../lib/format/format.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { receiptMessages as text } from './messages.ts';
import { ReceiptDetails } from './receipt-details.tsx';

type DeletionReceiptDialogProps = { receipt: DeletionReceipt; filename: string; onClose: () => void };

export function DeletionReceiptDialog({ receipt, filename, onClose }: DeletionReceiptDialogProps) {
  const { objects, deletedAt } = receipt;
  const about = objects.length > 0 ? text.deletionText(filename, formatTime(deletedAt)) : text.nothingLeft(filename);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text.deletion} description={about} wide>
      {objects.length > 0 && (
        <ReceiptDetails
          facts={objects.map(({ kind, sha256 }) => ({ label: text.kinds[kind], value: sha256 }))}
          receipt={receipt}
          filename={`deletion-${receipt.id}.json`}
        />
      )}
    </Dialog>
  );
}
