import { Download } from 'lucide-react';
import { saveText } from '../../lib/save-text.ts';
import { receiptMessages as text } from '../../messages/receipt.ts';
import { CopyButton } from '../copy-button.tsx';
import { IconButton } from '../icon-button.tsx';

/** Takes a receipt away: as text, or as a JSON file. */
export function ReceiptActions({ receipt, name }: { receipt: object; name: string }) {
  const json = JSON.stringify(receipt, null, 2);
  return (
    <div className="flex gap-2 justify-self-end">
      <CopyButton look="secondary" label={text.copy} text={json} />
      <IconButton look="secondary" label={text.save} icon={Download} onClick={() => saveText(name, json)} />
    </div>
  );
}
