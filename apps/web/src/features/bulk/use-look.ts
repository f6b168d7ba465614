import { useEffect, useState } from 'react';
import { type Look, lookAtFile } from './thumbnails.ts';

/** Size and thumbnail of a row's file, looked for while the row is on the screen. */
export function useLook(file: File | undefined): Look | undefined {
  const [look, setLook] = useState<Look>();
  useEffect(() => {
    if (!file) return;
    let isWanted = true;
    void lookAtFile(file, () => isWanted).then((found) => isWanted && setLook(found));
    return () => {
      isWanted = false;
    };
  }, [file]);
  return look;
}
