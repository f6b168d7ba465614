import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { uploadMessages as text } from '../messages.ts';
import { UploadForm } from './upload-form.tsx';

type UploadDialogProps = { files: readonly File[]; onClose: () => void };

/** Uploads files. Closes when all of them were stored. */
export const UploadDialog = ({ files, onClose }: UploadDialogProps) => (
  <Dialog open onOpenChange={onClose} title={text.title} description={text.subtitle} wide>
    <UploadForm files={files} onStored={onClose} />
  </Dialog>
);
