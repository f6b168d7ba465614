import type { ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { RetryNotice } from './notice.tsx';

const failureText = 'Something went wrong in this section.';

const Fallback = ({ resetErrorBoundary }: FallbackProps) => (
  <RetryNotice onRetry={resetErrorBoundary}>{failureText}</RetryNotice>
);

export function SectionErrorBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={Fallback}>{children}</ErrorBoundary>;
}
