import type { ReactNode } from 'react';

/** The frame of all illustrations: the motif at 1.5 px, in the colour of the text around. */
function Art({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 96 64"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      className="h-16 w-24"
    >
      {children}
    </svg>
  );
}

/** No network: the four pixels drifted apart, and a line between them that is cut. */
export function OfflineArt() {
  return (
    <Art>
      <path d="M12 12h16v16H12zM12 36h16v16H12zM68 36h16v16H68z" />
      <path d="M68 12a16 16 0 0 1 16 16H68z" className="fill-accent stroke-accent" />
      <path d="M34 32h8M54 32h8M44 26l-2 12M54 26l-2 12" />
    </Art>
  );
}
