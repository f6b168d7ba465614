import type { ReactNode } from 'react';

/** Announces notices that appear in it. Also rendered without any, because screen readers watch only what is there already. */
export const LiveNotices = ({ children }: { children: ReactNode }) => (
  // An empty element would double the gap of the grid around it.
  <div role="status" className="grid gap-3 empty:-mt-3">
    {children}
  </div>
);
