import { useEffect } from 'react';
import { type Blocker, useBlocker } from 'react-router';
import { setUnloadGuard } from '../../lib/browser/unload-guard.ts';

/**
 * While `isHeld`, blocks navigation inside the site and makes the browser ask before it leaves. A blocked navigation
 * continues when `isHeld` becomes false.
 */
export function useLeaveGuard(isHeld: boolean): Blocker {
  const blocker = useBlocker(isHeld);
  useEffect(() => {
    if (!isHeld && blocker.state === 'blocked') blocker.proceed();
  }, [isHeld, blocker]);
  useEffect(() => {
    setUnloadGuard('secret', isHeld);
    return () => setUnloadGuard('secret', false);
  }, [isHeld]);
  return blocker;
}
