import type { ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { uiMessages } from '../../messages/ui.ts';
import { Button } from '../controls/button.tsx';
import { Notice } from './notice.tsx';

function Fallback({ resetErrorBoundary }: FallbackProps) {
  return (
    <Notice kind="danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {uiMessages.fault}
        <Button look="secondary" size="small" onClick={resetErrorBoundary}>
          {uiMessages.retry}
        </Button>
      </div>
    </Notice>
  );
}

/** Contains rendering errors to a part of the page. */
export function SectionErrorBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={Fallback}>{children}</ErrorBoundary>;
}
