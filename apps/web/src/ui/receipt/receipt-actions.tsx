import { Download } from 'lucide-react';
import { downloadText } from '../../lib/browser/download-text.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { receiptMessages as text } from './messages.ts';

export function ReceiptActions({ receipt, name }: { receipt: object; name: string }) {
  const json = JSON.stringify(receipt, null, 2);
  return (
    <div className="flex gap-2 justify-self-end">
      <CopyButton look="secondary" label={text.copy} text={json} />
      <IconButton look="secondary" label={text.save} icon={Download} onClick={() => downloadText(name, json)} />
    </div>
  );
}
