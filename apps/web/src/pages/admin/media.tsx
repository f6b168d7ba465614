import { Upload } from 'lucide-react';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { FileList } from '../../features/admin/media/library/file-list.tsx';
import { mediaMessages as text, uploadMessages } from '../../features/admin/media/messages.ts';
import { UploadDialog } from '../../features/admin/media/upload/upload-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';

/** The media library. Files that are dropped anywhere on the page are offered for upload. */
export function MediaPage() {
  const mayManage = useMay('media.manage');
  const [dropped, setDropped] = useState<readonly File[]>();
  const zone = useDropzone({
    ...{ noClick: true, noKeyboard: true, disabled: !mayManage || dropped !== undefined },
    onDrop: (accepted) => accepted.length > 0 && setDropped(accepted),
  });
  const upload = (
    <Button onClick={() => setDropped([])}>
      <Upload aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.upload}
    </Button>
  );
  return (
    <div
      {...zone.getRootProps({ role: undefined, tabIndex: undefined })}
      className="relative grid min-h-96 content-start gap-5 grid-cols-[minmax(0,1fr)]"
    >
      <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && upload}>
        <FileList />
      </AdminPage>
      {zone.isDragActive && (
        <div className="pointer-events-none absolute inset-0 z-20 grid place-content-center rounded-card border-2 border-accent border-dashed bg-page/90">
          <p className="font-medium">{uploadMessages.drop}</p>
        </div>
      )}
      {dropped && <UploadDialog files={dropped} onClose={() => setDropped(undefined)} />}
    </div>
  );
}
