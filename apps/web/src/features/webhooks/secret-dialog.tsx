import { useRef } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { webhookMessages } from './messages.ts';

const text = webhookMessages.secret;

/** Shows a signing secret once, until the user confirms to have saved it. */
export function SecretDialog({ secret, onSaved }: { secret: string | undefined; onSaved: () => void }) {
  const code = useRef<HTMLElement>(null);
  if (secret === undefined) return null;
  return (
    <Dialog open onOpenChange={() => {}} title={text.title} description={text.text} wide locked>
      <div className="flex items-center gap-2 rounded-control border border-edge bg-page py-1 pr-1 pl-3">
        <code ref={code} className="min-w-0 flex-1 text-sm select-all wrap-anywhere">
          {secret}
        </code>
        <CopyButton text={secret} label={text.copy} source={code} look="secondary" />
      </div>
      <Button className="sm:justify-self-end" onClick={onSaved}>
        {text.done}
      </Button>
    </Dialog>
  );
}
