import type { ReactNode } from 'react';

/**
 * Live region that announces notices. Rendered even without notices, because screen readers only watch existing
 * regions.
 */
export const LiveNotices = ({ children }: { children: ReactNode }) => (
  // An empty element would double the gap of the grid around it.
  <div role="status" className="grid gap-3 empty:-mt-3">
    {children}
  </div>
);
