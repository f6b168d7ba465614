import { useEffect } from 'react';
import { type Blocker, useBlocker } from 'react-router';

/**
 * While `isHeld`, moves inside the site wait for an answer and the browser asks before it closes the page. A move that
 * waits goes on when there is nothing to hold any more.
 */
export function useLeaveGuard(isHeld: boolean): Blocker {
  const blocker = useBlocker(isHeld);
  useEffect(() => {
    if (!isHeld && blocker.state === 'blocked') blocker.proceed();
  }, [isHeld, blocker]);
  useEffect(() => {
    if (!isHeld) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isHeld]);
  return blocker;
}
