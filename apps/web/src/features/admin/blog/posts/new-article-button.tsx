import type { newArticleKinds } from '@uprez/contracts/policy/articles';
import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { buttonStyle } from '../../../../ui/controls/button.tsx';
import { articlePath, newId } from '../../frame/article-path.ts';

type NewArticleButtonProps = { kind: (typeof newArticleKinds)[number]; label: string };

/** Opens the editor of a new article. */
export const NewArticleButton = ({ kind, label }: NewArticleButtonProps) => (
  <Link to={articlePath(kind, newId)} className={buttonStyle({ look: 'primary' })}>
    <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
    {label}
  </Link>
);
