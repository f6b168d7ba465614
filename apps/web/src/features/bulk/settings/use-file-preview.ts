import { useEffect, useState } from 'react';
import { changeRow } from '../bulk-store.ts';
import { type FilePreview, loadPreview } from '../list/file-preview.ts';
import type { Row } from '../list/row.ts';

/** Loads the thumbnail of a row while it is visible, and stores the image size in the row. */
export function useFilePreview({ id, status, file: own }: Row): FilePreview | undefined {
  const file = status === 'rejected' ? undefined : own;
  const [look, setLook] = useState<FilePreview>();
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    void loadPreview(file, () => isWanted).then((found) => {
      if (!isWanted || !found) return;
      setLook(found);
      const { size } = found;
      if (size) changeRow(id, (row) => (row.imageSize ? row : { ...row, imageSize: size }));
    });
    return () => {
      isWanted = false;
    };
  }, [id, file]);
  return look;
}
