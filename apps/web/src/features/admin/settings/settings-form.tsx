import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { type FormEvent, type ReactNode, useState } from 'react';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { useMay } from '../frame/use-may.ts';
import { settingsMessages as text } from './messages.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** Names the administrator who saved in the meantime, and asks which values to keep. */
function ConflictNotice({ settings: { conflict, loadNew, overwrite, form } }: { settings: SettingsForm }) {
  if (!conflict) return null;
  return (
    <div className="sticky bottom-0 z-10 border-line border-t bg-page py-3">
      <Notice kind="danger">
        <p>
          {conflict.message} {text.conflict.kept}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            size="small"
            look="secondary"
            onClick={() => void loadNew().catch((error) => showErrorToast(text.failure, error))}
          >
            {text.conflict.load}
          </Button>
          <Button size="small" look="danger" pending={form.isSubmitting} onClick={() => void overwrite()}>
            {text.conflict.overwrite}
          </Button>
        </div>
      </Notice>
    </div>
  );
}

type FrameProps = {
  settings: SettingsForm;
  /** Permission required to save. */
  permission?: Permission;
  /** Confirmation before saving, or undefined for none. */
  question?: { title: string; text: string; confirm: string } | undefined;
  children: ReactNode;
};

/** A form of settings with its own Save. Roles that can't save see its values. */
export function SettingsFormFrame({ settings, permission = 'settings.manage', question, children }: FrameProps) {
  const [isAsking, setAsking] = useState(false);
  const mayManage = useMay(permission);
  const { form, isDirty, conflict, discard } = settings;
  // Shows validation errors instead of asking, because invalid values wouldn't be saved.
  const ask = async (event: FormEvent) => {
    event.preventDefault();
    if (await settings.validate()) setAsking(true);
    else await form.submit();
  };
  return (
    <form onSubmit={question ? (event) => void ask(event) : form.submit} noValidate className="grid gap-5">
      {!mayManage && <Notice kind="info">{text.readOnly}</Notice>}
      <fieldset disabled={!mayManage} className="grid min-w-0 gap-5">
        {children}
      </fieldset>
      <FormError form={form} />
      <ConflictNotice settings={settings} />
      {mayManage && !conflict && (
        <div className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-3 border-line border-t bg-page py-3">
          <p role="status" className="mr-auto text-muted text-sm">
            {isDirty && text.unsaved}
          </p>
          {isDirty && (
            <Button look="secondary" onClick={discard}>
              {text.discard}
            </Button>
          )}
          <Button type="submit" pending={form.isSubmitting}>
            {text.save}
          </Button>
        </div>
      )}
      {question && (
        <ConfirmDialog
          {...question}
          open={isAsking}
          onOpenChange={setAsking}
          onConfirm={() => {
            setAsking(false);
            void form.submit();
          }}
        />
      )}
    </form>
  );
}
