import type { DeletionReceipt } from '@uprez/contracts/schemas/job';
import { formatTime } from '../../lib/format/format.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { FactList } from './fact-list.tsx';
import { receiptMessages as text } from './messages.ts';
import { ReceiptActions } from './receipt-actions.tsx';

type DeletionReceiptDialogProps = { receipt: DeletionReceipt; filename: string; onClose: () => void };

export function DeletionReceiptDialog({ receipt, filename, onClose }: DeletionReceiptDialogProps) {
  const { objects, deletedAt } = receipt;
  const about = objects.length > 0 ? text.deletionText(filename, formatTime(deletedAt)) : text.nothingLeft(filename);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text.deletion} description={about} wide>
      {objects.length > 0 && (
        <>
          <FactList facts={objects.map(({ kind, sha256 }) => ({ label: text.kinds[kind], value: sha256 }))} />
          <ReceiptActions receipt={receipt} name={`deletion-${receipt.id}.json`} />
        </>
      )}
    </Dialog>
  );
}
