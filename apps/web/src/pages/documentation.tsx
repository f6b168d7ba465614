import { Documentation } from '../features/documentation/documentation.tsx';
import { documentationMessages as text } from '../features/documentation/messages.ts';
import { useAuth } from '../features/session/auth-provider.tsx';
import { messages } from '../messages.ts';
import { PageHeading } from '../ui/layout/page-heading.tsx';

export function DocumentationPage() {
  const { user } = useAuth();
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 sm:px-6 sm:py-10">
      <Documentation
        user={user}
        heading={
          <div className="grid min-w-0 gap-2">
            <PageHeading title={messages.page.documentation} className="text-xl">
              {text.title}
            </PageHeading>
            <p className="max-w-xl text-pretty text-muted text-sm">{text.lead}</p>
          </div>
        }
      />
    </div>
  );
}
