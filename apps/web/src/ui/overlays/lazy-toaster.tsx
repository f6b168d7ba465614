import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '../../lib/browser/when-idle.ts';
import { useToasts } from '../../lib/notifications/toast-store.ts';

/** Loads the toaster when the browser is idle, or with the first toast. If that fails, the next toast tries again. */
export function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType>();
  const shownId = useToasts(({ toasts }) => toasts[0]?.id);
  const isLoaded = Toaster !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    const load = () =>
      import('./toaster.tsx').then((loaded) => setToaster(() => loaded.Toaster)).catch(() => undefined);
    if (shownId === undefined) return whenIdle(() => void load());
    void load();
    return;
  }, [isLoaded, shownId]);
  return Toaster && <Toaster />;
}
