import { useEffect, useId } from 'react';
import { create } from 'zustand';
import { setUnloadGuard } from '../browser/unload-guard.ts';

/** The IDs of the forms on the page that contain unsaved changes. */
export const useUnsavedForms = create<{ ids: readonly string[] }>(() => ({ ids: [] }));

function setUnsaved(id: string, isUnsaved: boolean): void {
  setUnloadGuard(`form ${id}`, isUnsaved);
  useUnsavedForms.setState(({ ids }) => {
    if (ids.includes(id) === isUnsaved) return {};
    return { ids: isUnsaved ? [...ids, id] : ids.filter((other) => other !== id) };
  });
}

/** Makes the site and the browser ask for confirmation before the user leaves a page with an unsaved form. */
export function useUnsavedForm(isUnsaved: boolean): void {
  const id = useId();
  useEffect(() => {
    setUnsaved(id, isUnsaved);
    return () => setUnsaved(id, false);
  }, [id, isUnsaved]);
}
