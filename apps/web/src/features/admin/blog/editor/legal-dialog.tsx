import { articleLimits } from '@uprez/contracts/policy/articles';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import { termsSlug } from '@uprez/contracts/texts/site/pages';
import { type FormEvent, useState } from 'react';
import { Checkbox } from '../../../../ui/controls/checkbox.tsx';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../../ui/overlays/form-dialog.tsx';
import { editorMessages } from './messages.ts';

const text = editorMessages.legalDialog;
const dayMs = 86_400_000;
/** Returns the date `days` from now (UTC), such as `2026-11-05`. */
const dayFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

export type LegalChoice = { effectiveOn: string; mustAccept: boolean };
type LegalDialogProps = {
  article: Article;
  isPending: boolean;
  onPublish: (choice: LegalChoice) => void;
  onClose: () => void;
};

export function LegalDialog({ article: { slug, title }, isPending, onPublish, onClose }: LegalDialogProps) {
  const [effectiveOn, setEffectiveOn] = useState(dayFromNow(0));
  const [mustAccept, setMustAccept] = useState(false);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (effectiveOn === '') return setError(text.dateRequired);
    onPublish({ effectiveOn, mustAccept });
  };
  return (
    <FormDialog
      title={text.title(title)}
      description={text.text}
      form={{ submit, isSubmitting: isPending, error: undefined }}
      text={text}
      onClose={onClose}
    >
      <TextField
        label={text.effectiveOn}
        hint={text.effectiveHint}
        type="date"
        value={effectiveOn}
        min={dayFromNow(0)}
        max={dayFromNow(articleLimits.effectiveDays)}
        error={error}
        onChange={(event) => {
          setError(undefined);
          setEffectiveOn(event.target.value);
        }}
      />
      {slug === termsSlug && (
        <div className="grid gap-1">
          <Checkbox label={text.mustAccept} checked={mustAccept} onChange={setMustAccept} />
          <p className="pl-7.5 text-muted text-xs">{text.mustAcceptHint}</p>
        </div>
      )}
    </FormDialog>
  );
}
