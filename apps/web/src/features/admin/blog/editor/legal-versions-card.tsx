import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { LegalVersion } from '@uprez/contracts/schemas/content/site-pages';
import { formatDay } from '@uprez/contracts/texts/format';
import { legalVersionPath } from '@uprez/contracts/texts/pages';
import { useState } from 'react';
import { api } from '../../../../lib/api/api.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { useMay } from '../../frame/use-may.ts';
import { editorMessages } from './messages.ts';
import type { ArticleActions } from './use-article-actions.ts';

const text = editorMessages.versions;

type LegalVersionsCardProps = { slug: string; actions: ArticleActions };

/** The versions of a legal text. The newest one can be withdrawn until it takes effect. */
export function LegalVersionsCard({ slug, actions }: LegalVersionsCardProps) {
  const mayPublish = useMay('legal.publish');
  const [withdrawn, setWithdrawn] = useState<LegalVersion>();
  const { data: page } = useQuery({
    queryKey: [apiRoutes.getSitePage.path, slug, 'versions'],
    queryFn: async ({ signal }) => (await api.getSitePage({ params: { slug }, signal })).data,
    refetchOnMount: 'always',
  });
  const versions = page?.versions ?? [];
  const inForce = versions.findIndex(({ isInForce }) => isInForce);
  return (
    <Card title={text.title}>
      <ul className="grid gap-3 text-sm">
        {versions.map((version, index) => (
          <li key={version.number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <a
              href={legalVersionPath(slug, version.number)}
              target="_blank"
              rel="noopener"
              className="font-medium underline decoration-line underline-offset-4 hover:decoration-current"
            >
              {text.version(version.number)}
            </a>
            <span className="text-muted">{text.effective(formatDay(version.effectiveAt))}</span>
            {version.isInForce && <Badge kind="success">{text.inForce}</Badge>}
            {index < inForce && <Badge kind="neutral">{text.upcoming}</Badge>}
            {index === 0 && inForce > 0 && mayPublish && (
              <Button look="secondary" size="small" className="ml-auto" onClick={() => setWithdrawn(version)}>
                {text.withdraw}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {withdrawn && (
        <ConfirmDialog
          open
          onOpenChange={() => setWithdrawn(undefined)}
          title={text.dialogTitle(withdrawn.number)}
          text={text.dialogText}
          confirm={text.withdraw}
          pending={actions.isPending}
          onConfirm={() => actions.withdraw(withdrawn.number, () => setWithdrawn(undefined))}
        />
      )}
    </Card>
  );
}
