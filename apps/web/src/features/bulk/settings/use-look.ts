import { useEffect, useState } from 'react';
import { changeRow } from '../bulk-store.ts';
import type { Row } from '../list/row.ts';
import { type Look, lookAtFile } from '../list/thumbnails.ts';

/** Loads the thumbnail of a row while it is visible, and stores the image size in the row. */
export function useLook({ id, status, file: own }: Row): Look | undefined {
  const file = status === 'rejected' ? undefined : own;
  const [look, setLook] = useState<Look>();
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    void lookAtFile(file, () => isWanted).then((found) => {
      if (!isWanted || !found) return;
      setLook(found);
      const { size } = found;
      if (size) changeRow(id, (row) => (row.pixels ? row : { ...row, pixels: size }));
    });
    return () => {
      isWanted = false;
    };
  }, [id, file]);
  return look;
}
