import { ExternalLink } from 'lucide-react';
import { formatTime } from '../../../../lib/format/format.ts';
import { CopyBlock } from '../../../../ui/code/copy-block.tsx';
import { buttonStyle } from '../../../../ui/controls/button.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { editorMessages } from './messages.ts';

const text = editorMessages.previewDialog;

type PreviewDialogProps = { link: { url: string; expiresAt: string }; onClose: () => void };

/** The link to the draft, to open or to share. */
export const PreviewDialog = ({ link: { url, expiresAt }, onClose }: PreviewDialogProps) => (
  <Dialog open onOpenChange={onClose} title={text.title} description={text.text(formatTime(expiresAt))}>
    <CopyBlock code={url} label={text.copy} />
    <a
      href={url}
      target="_blank"
      rel="noopener"
      className={buttonStyle({ className: 'justify-self-end' })}
      onClick={onClose}
    >
      <ExternalLink aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.open}
    </a>
  </Dialog>
);
