import type { User } from '@uprez/contracts/schemas/user';
import { formatDay } from '@uprez/contracts/texts/format';
import { legalVersionPath, termsSlug } from '@uprez/contracts/texts/site/pages';
import { FileText } from 'lucide-react';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { focusContent } from '../../lib/layout/focus.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { shareUserChange } from '../../lib/session/session-lifecycle.ts';
import { Button } from '../../ui/controls/button.tsx';

const text = {
  banner: 'New terms of service',
  announced: (day: string) =>
    `Our terms of service change on ${formatDay(day)}. Accept them to keep processing images.`,
  required: 'Our terms of service have changed. Accept them to continue processing images.',
  read: 'Read the terms and changes',
  accept: 'Accept',
  accepted: 'You accepted the new terms of service',
  failed: "Couldn't accept the terms",
} as const;

type PendingTerms = NonNullable<User['pendingTerms']>;

/** On every page until the user accepts the latest terms of service. */
export function TermsBanner({ pending: { version, effectiveAt, isRequired } }: { pending: PendingTerms }) {
  const accept = useResourceMutation({
    call: () => api.acceptTerms({ body: { version } }),
    invalidates: [userKey],
    onSuccess: () => {
      shareUserChange();
      showToast({ title: text.accepted });
      focusContent();
    },
    errorTitle: text.failed,
  });
  return (
    <section
      aria-label={text.banner}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-line border-b bg-sunken px-4 py-2 text-sm"
    >
      <p className="flex min-w-0 items-center gap-2">
        <FileText
          aria-hidden="true"
          strokeWidth={1.75}
          className={`size-4 shrink-0 ${isRequired ? 'text-warning' : 'text-muted'}`}
        />
        {isRequired ? text.required : text.announced(effectiveAt)}
      </p>
      <Link to={legalVersionPath(termsSlug, version)} className="underline underline-offset-4">
        {text.read}
      </Link>
      <Button look="secondary" size="small" pending={accept.isPending} onClick={() => accept.mutate()}>
        {text.accept}
      </Button>
    </section>
  );
}
