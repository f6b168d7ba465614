import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { Copy, Eye, RotateCcw, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import { ActionsMenu } from '../../../../ui/overlays/menu.tsx';
import { mediaFilePath } from '../../frame/media-path.ts';
import { useMay } from '../../frame/use-may.ts';
import { adminMessages } from '../../messages.ts';
import { copyFileUrl } from '../copy-file-url.ts';
import { mediaMessages as text } from '../messages.ts';
import { useRestoreFile } from '../use-media-mutations.ts';

/** What can be done with a file of the list. */
export function FileActions({ file, onDelete }: { file: MediaFile; onDelete: () => void }) {
  const navigate = useNavigate();
  const mayManage = useMay('media.manage');
  const restore = useRestoreFile();
  const open = { label: text.open, icon: Eye, onSelect: () => void navigate(mediaFilePath(file.id)) };
  const copy = { label: text.copy, icon: Copy, onSelect: () => void copyFileUrl(file) };
  const change = file.deletedAt
    ? { label: text.restore, icon: RotateCcw, onSelect: () => restore.mutate(file.id) }
    : { label: text.delete, icon: Trash2, danger: true, onSelect: onDelete };
  const items = [open, ...(file.deletedAt ? [] : [copy]), ...(mayManage ? [change] : [])];
  return <ActionsMenu label={adminMessages.table.actions(file.originalName)} items={items} />;
}
