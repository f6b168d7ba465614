import { Download, ReceiptText } from 'lucide-react';
import { useRef, useState } from 'react';
import { caption } from '../../../lib/format/caption.ts';
import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { FidelityNote } from '../../../ui/receipt/fidelity-note.tsx';
import { ReceiptDetails, receiptFacts } from '../../../ui/receipt/receipt-dialogs.tsx';
import { ReceiptLine } from '../../../ui/receipt/receipt-line.tsx';
import { NextSteps } from '../../../ui/viewer/next-steps.tsx';
import { localMessages as text } from '../messages.ts';
import { removeLocalImage } from '../source/choose-local-image.ts';
import { endLocalRun, type LocalImage, type LocalRun } from '../state/local-store.ts';

type Done = Extract<LocalRun, { phase: 'done' }>;

/** The result with its download and its receipt. */
export function LocalResultPanel({ image, run }: { image: LocalImage; run: Done }) {
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const download = useRef<HTMLAnchorElement>(null);
  const [isOpen, setOpen] = useState(false);
  useShortcut('download', () => download.current?.click());
  const { receipt, url, name } = run;
  const { source } = receipt;
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {text.done}
        </h2>
        <p className="text-muted text-sm tabular-nums">
          <ReceiptLine
            text={caption({
              originalSize: { ...source, fileSize: source.sizeBytes },
              processedSize: { width: receipt.width, height: receipt.height, fileSize: receipt.sizeBytes },
              processingTimeMs: Object.values(receipt.stagesMs).reduce((sum, ms) => sum + ms, 0),
              engine: receipt.engine,
            })}
          />
        </p>
        <p className="text-muted text-sm">{text.facts}</p>
      </div>
      <a ref={download} href={url} download={name} className={buttonStyle({ size: 'wide' })}>
        <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.download}
      </a>
      <Button look="secondary" size="wide" onClick={() => setOpen(true)}>
        <ReceiptText aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.receipt}
      </Button>
      {receipt.fidelity && <FidelityNote score={receipt.fidelity.score} />}
      {isOpen && (
        <Dialog
          open
          onOpenChange={() => setOpen(false)}
          title={text.receiptTitle}
          description={text.receiptText(image.source.name)}
          wide
        >
          <ReceiptDetails facts={receiptFacts(receipt)} receipt={receipt} filename={`receipt-${name}.json`} />
        </Dialog>
      )}
      <NextSteps text={text} onChangeSettings={() => endLocalRun()} onStartOver={() => void removeLocalImage()} />
    </div>
  );
}
