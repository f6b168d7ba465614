import type { User } from '@uprez/contracts/schemas/user';
import { formatCount } from '@uprez/contracts/texts/format';
import { Eye } from 'lucide-react';
import { useEffect } from 'react';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/queries.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useNow } from '../../lib/browser/use-now.ts';
import { Button } from '../../ui/controls/button.tsx';

const text = {
  banner: 'Viewed account',
  notice: (email: string) => `You're viewing the account of ${email}. You can't make changes.`,
  left: (minutes: number) => (minutes <= 1 ? 'Less than 1 minute left.' : `${formatCount(minutes)} minutes left.`),
  stop: 'Stop viewing',
  stopFailed: "Couldn't stop viewing",
} as const;

const tickMs = 1_000;
const minuteMs = 60_000;

type AccountViewBannerProps = { user: User; until: string };

/**
 * Shown on every page while an administrator views an account. Names the account, and shows the time left and a button
 * to stop.
 */
export function AccountViewBanner({ user, until }: AccountViewBannerProps) {
  const leftMs = Date.parse(until) - useNow(tickMs);
  const isOver = leftMs <= 0;
  useEffect(() => {
    if (isOver) void queryClient.refetchQueries({ queryKey: userKey });
  }, [isOver]);
  // Only refetches the user. The layout then notices the change, and opens the administrator's own account.
  const stop = useResourceMutation({
    call: () => api.endView(),
    invalidates: [userKey],
    errorTitle: text.stopFailed,
  });
  return (
    <section
      aria-label={text.banner}
      className="sticky top-14 z-20 flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-warning border-b bg-sunken px-4 py-2 text-sm"
    >
      <p className="flex min-w-0 items-center gap-2 wrap-anywhere">
        <Eye aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-warning" />
        <span>
          {text.notice(user.email)} <span className="tabular-nums">{text.left(Math.ceil(leftMs / minuteMs))}</span>
        </span>
      </p>
      <Button look="secondary" size="small" pending={stop.isPending || stop.isSuccess} onClick={() => stop.mutate()}>
        {text.stop}
      </Button>
    </section>
  );
}
