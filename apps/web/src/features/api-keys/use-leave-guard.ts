import { useEffect } from 'react';
import { type Blocker, useBlocker } from 'react-router';
import { holdPage } from '../../lib/browser/leave-guard.ts';

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
    holdPage('secret', isHeld);
    return () => holdPage('secret', false);
  }, [isHeld]);
  return blocker;
}
