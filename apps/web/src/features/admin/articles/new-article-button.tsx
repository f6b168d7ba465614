import type { newArticleKinds } from '@uprez/contracts/policy/articles';
import { Plus } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { adminApi } from '../admin-api.ts';
import { postKeys } from '../blog/posts/use-post-mutations.ts';
import { articlePath } from '../frame/article-path.ts';
import { articleMessages as text } from './messages.ts';

type NewArticleButtonProps = { kind: (typeof newArticleKinds)[number]; label: string };

/** Creates an article, and opens its editor. */
export function NewArticleButton({ kind, label }: NewArticleButtonProps) {
  const navigate = useNavigate();
  const create = useResourceMutation({
    call: async () => (await adminApi.adminCreateArticle({ body: { kind } })).data,
    invalidates: postKeys,
    errorTitle: text.failure,
    onSuccess: ({ id }) => void navigate(articlePath(kind, id)),
  });
  return (
    <Button pending={create.isPending} onClick={() => create.mutate()}>
      <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {label}
    </Button>
  );
}
