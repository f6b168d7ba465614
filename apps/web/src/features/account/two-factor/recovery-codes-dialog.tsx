import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { downloadText } from '../../../lib/browser/download-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { accountMessages } from '../messages.ts';

const text = accountMessages.recoveryCodes;

/** Shows the recovery codes once. It can be closed only after the user has confirmed to have saved them. */
export function RecoveryCodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const [isSaved, setIsSaved] = useState(false);
  const all = codes.join('\n');
  return (
    <Dialog open locked onOpenChange={onDone} title={text.title} description={text.text}>
      <ul
        ref={list}
        aria-label={text.list}
        className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-x-6 gap-y-1.5 rounded-control bg-sunken p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="secondary" onClick={() => downloadText(text.file, `${all}\n`)}>
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.download}
        </Button>
        <CopyButton text={all} label={text.copy} source={list} look="secondary" />
      </div>
      <Checkbox label={text.saved} checked={isSaved} onChange={setIsSaved} />
      <Button className="justify-self-start" disabled={!isSaved} onClick={onDone}>
        {text.done}
      </Button>
    </Dialog>
  );
}
