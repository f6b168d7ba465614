import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { useSandboxSecret } from '../../lib/session/sandbox-secret.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Delayed, Skeleton } from '../../ui/feedback/query-view.tsx';
import { SectionErrorBoundary } from '../../ui/feedback/section-error-boundary.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { useAuth } from '../session/auth-provider.tsx';
import { useIsDark } from '../theme/theme-switch.tsx';

const ExplorerKey = lazy(async () => ({
  default: (await import('../api-keys/explorer-key.tsx')).ExplorerKey,
}));
const Reference = lazy(async () => ({ default: (await import('./reference.tsx')).Reference }));

export function ReferencePage() {
  const isDark = useIsDark();
  const { user } = useAuth();
  const { known } = useSandboxSecret();
  return (
    <div className="min-w-0 bg-page">
      <section
        aria-label={messages.navigation.reference}
        className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-b px-4 py-4 sm:px-6"
      >
        <PageHeading title={messages.page.reference} className="text-lg">
          {messages.navigation.reference}
        </PageHeading>
        <Link to={paths.documentation} className="text-muted text-sm underline underline-offset-4 hover:text-ink">
          {messages.navigation.documentation}
        </Link>
      </section>
      <SectionErrorBoundary>
        <Suspense>
          <ExplorerKey user={user} onPaste={showAuthentication} />
        </Suspense>
      </SectionErrorBoundary>
      <SectionErrorBoundary>
        <Suspense
          fallback={
            <Delayed>
              <Skeleton className="m-6 h-96" />
            </Delayed>
          }
        >
          <Reference isDark={isDark} secret={known?.secret} />
        </Suspense>
      </SectionErrorBoundary>
    </div>
  );
}

function showAuthentication(): void {
  const place = document.querySelector('.scalar-reference-intro-auth');
  place?.scrollIntoView({ block: 'center' });
  place?.querySelector('input')?.focus({ preventScroll: true });
}
