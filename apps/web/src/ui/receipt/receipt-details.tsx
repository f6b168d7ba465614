import clsx from 'clsx';
import { Download } from 'lucide-react';
import { downloadText } from '../../lib/browser/download-text.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { receiptMessages as text } from './messages.ts';

const isHash = (value: string) => /^[0-9a-f]{64}$/.test(value);

type ReceiptDetailsProps = { facts: readonly { label: string; value: string }[]; receipt: object; filename: string };

/** The facts of a receipt, and buttons to copy it or download it as JSON. */
export function ReceiptDetails({ facts, receipt, filename }: ReceiptDetailsProps) {
  const json = JSON.stringify(receipt, null, 2);
  return (
    <div className="grid gap-3">
      <dl className="grid divide-y divide-line border-line border-y text-sm">
        {facts.map(({ label, value }) => (
          <div key={label} className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)]">
            <dt className="text-muted">{label}</dt>
            <dd className={clsx('min-w-0 tabular-nums wrap-anywhere', isHash(value) && 'font-mono text-xs leading-5')}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex gap-2 justify-self-end">
        <CopyButton look="secondary" label={text.copy} text={json} />
        <IconButton look="secondary" label={text.save} icon={Download} onClick={() => downloadText(filename, json)} />
      </div>
    </div>
  );
}
