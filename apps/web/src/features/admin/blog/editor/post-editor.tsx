import { articleLimits } from '@uprez/contracts/policy/articles';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { articlePath } from '../../frame/article-path.ts';
import { useMay } from '../../frame/use-may.ts';
import { kindNames } from '../kind-names.ts';
import { ContentEditor } from '../rich-text/content-editor.tsx';
import { ActionBar } from './action-bar.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DetailsCard } from './details-card.tsx';
import type { Draft } from './draft.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { LegalVersionsCard } from './legal-versions-card.tsx';
import { editorMessages as text } from './messages.ts';
import { SeoCard } from './seo-card.tsx';
import { useArticleActions } from './use-article-actions.ts';
import { useDraft, useDraftState } from './use-draft.ts';
import { useFreshArticle } from './use-fresh-article.ts';

function TitleField({ draft }: { draft: Draft }) {
  const title = useDraftState(draft, ({ fields }) => fields.title);
  const error = useDraftState(draft, ({ errors }) => errors.title);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) input.current?.focus();
  }, [error]);
  return (
    <TextField
      ref={input}
      label={text.title}
      error={error}
      value={title}
      onChange={(event) => draft.change({ title: event.target.value })}
      maxLength={articleLimits.titleLength}
      autoComplete="off"
    />
  );
}

/** The text, in an editor that is replaced with the text. */
function ContentField({ draft, disabled }: { draft: Draft; disabled: boolean }) {
  const epoch = useDraftState(draft, (state) => state.epoch);
  const error = useDraftState(draft, ({ errors }) => errors.content);
  const readContent = () => {
    draft.takeContent();
    return draft.store.getState().fields.content;
  };
  return (
    <ContentEditor
      key={epoch}
      content={draft.store.getState().fields.content}
      readContent={readContent}
      disabled={disabled}
      error={error}
      onChange={(read) => draft.changeContent(read)}
      onClose={() => draft.takeContent()}
    />
  );
}

type PostEditorProps = {
  article: Article;
  /** Creates an article that exists only here. */
  create?: () => Promise<unknown>;
};

/** Edits a post: its text, its details, and who can read it. All changes are saved as a draft. */
export function PostEditor({ article: loaded, create }: PostEditorProps) {
  const mayManage = useMay('content.manage');
  const [article, setArticle] = useState(loaded);
  const { draft, wasKept } = useDraft(loaded, create);
  const refresh = useFreshArticle(article, draft, setArticle);
  const actions = useArticleActions(article, draft, { onChange: setArticle, refresh });
  const saveOnShortcut = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    void draft.flush();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+S saves from any field of the post.
    <div onKeyDown={saveOnShortcut} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ActionBar {...{ article, draft, actions, mayManage }} />
      {!mayManage && <Notice kind="info">{text.readOnly(kindNames[article.kind])}</Notice>}
      {wasKept && <Notice kind="info">{text.restored}</Notice>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <fieldset disabled={!mayManage} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
          <TitleField draft={draft} />
          <ContentField draft={draft} disabled={!mayManage} />
        </fieldset>
        <fieldset disabled={!mayManage} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
          {article.kind === 'legal' && article.publicSlug && (
            <LegalVersionsCard slug={article.publicSlug} actions={actions} />
          )}
          <DetailsCard draft={draft} url={article.url} kind={article.kind} />
          <SeoCard draft={draft} url={article.url} />
        </fieldset>
      </div>
      <ConflictDialog draft={draft} kind={article.kind} />
      <LeaveGuard draft={draft} path={articlePath(article.kind, article.id)} />
    </div>
  );
}
