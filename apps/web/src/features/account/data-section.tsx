import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { limits } from '@uprez/contracts/policy/limits';
import { type ExportView, proofBodySchema } from '@uprez/contracts/schemas/account';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes } from '@uprez/contracts/texts/format';
import { api } from '../../lib/api/api.ts';
import { formatDate, formatTime } from '../../lib/format/format.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { ReauthAction } from '../../ui/forms/reauth-form.tsx';
import { ReceiptLine } from '../../ui/receipt/receipt-line.tsx';
import { AccountList, AccountListRow, AccountSection } from './account-section.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.data;
const exportsKey = [apiRoutes.listExports.path] as const;
const pollMs = 3_000;

function ExportRow({ copy }: { copy: ExportView }) {
  const asked = formatTime(copy.createdAt);
  const { status, sizeBytes, downloadUrl, expiresAt } = copy;
  const facts = [
    text.statuses[status],
    sizeBytes !== null && formatBytes(sizeBytes),
    downloadUrl && expiresAt && text.until(formatDate(expiresAt)),
  ];
  return (
    <AccountListRow
      title={asked}
      facts={<ReceiptLine text={facts.filter(Boolean).join(' · ')} />}
      action={
        downloadUrl && (
          <a
            href={downloadUrl}
            download
            aria-label={text.downloadOf(asked)}
            className={buttonStyle({ look: 'secondary' })}
          >
            {text.download}
          </a>
        )
      }
    />
  );
}

export function DataSection({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const exports = useQuery<ExportView[]>({
    queryKey: exportsKey,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'waiting' || status === 'running') ? pollMs : false,
    // Refetched on every visit, and not cached for the next user.
    gcTime: 0,
  });
  return (
    <AccountSection part="export">
      <p className="text-muted text-sm">{text.text(limits.exportDays)}</p>
      <ReauthAction
        user={user}
        text={text}
        schema={proofBodySchema}
        call={async (body) => (await api.requestExport({ body })).data}
        onDone={() => {
          showToast(text.asked);
          void queryClient.invalidateQueries({ queryKey: exportsKey });
        }}
      />
      <AccountList query={exports} label={text.list}>
        {(copy) => <ExportRow key={copy.id} copy={copy} />}
      </AccountList>
    </AccountSection>
  );
}
