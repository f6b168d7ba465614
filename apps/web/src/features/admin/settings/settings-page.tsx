import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import {
  type EmailSettings,
  emailSettingsBodySchema,
  type TestMailResponse,
} from '@uprez/contracts/schemas/admin/settings';
import { useState } from 'react';
import * as z from 'zod';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { PasswordField } from '../../../ui/controls/password-field.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { useHasPermission } from '../frame/use-own-user.ts';
import { settingsMessages } from './messages.ts';
import { SeoForm } from './seo-form.tsx';
import { SettingsFormFrame, SettingsFrame, useSettingsForm } from './settings-form.tsx';
import { SiteForm } from './site-form.tsx';

type DataOf<Form extends (props: never) => unknown> = Parameters<Form>[0] extends { data: infer Data } ? Data : never;

export const GeneralSettingsPage = () => (
  <SettingsFrame<DataOf<typeof SiteForm>> screen="site" path={adminRoutes.getSiteSettings.path}>
    {(data) => <SiteForm data={data} />}
  </SettingsFrame>
);

export const SeoSettingsPage = () => (
  <SettingsFrame<DataOf<typeof SeoForm>> screen="seo" path={adminRoutes.getSeoSettings.path}>
    {(data) => <SeoForm data={data} />}
  </SettingsFrame>
);

export const EmailSettingsPage = () => (
  <SettingsFrame<DataOf<typeof EmailForm>> screen="email" path={adminRoutes.getEmailSettings.path}>
    {(data) => <EmailForm data={data} />}
  </SettingsFrame>
);

const text = settingsMessages.email;

type Data = EmailSettings & { version: number };
const { smtpHost, smtpPort, smtpUser, fromEmail, fromName } = emailSettingsBodySchema.shape;
const schema = z.object({
  ...{ smtpHost, smtpPort, smtpUser, fromEmail, fromName },
  smtpPassword: z.string(),
  removesPassword: z.boolean(),
  smtpSecure: z.boolean(),
  welcomeEmailEnabled: z.boolean(),
  notificationEmailEnabled: z.boolean(),
});
type Values = Omit<z.output<typeof schema>, 'smtpPort'> & { smtpPort: string };

const toValues = ({
  version: _,
  smtpPasswordSet: __,
  smtpPasswordLost: ___,
  smtpPort: port,
  ...rest
}: Data): Values => ({
  ...rest,
  smtpPort: String(port),
  smtpPassword: '',
  removesPassword: false,
});
const passwordHintOf = ({ smtpPasswordLost, smtpPasswordSet }: Data) => {
  if (smtpPasswordLost) return text.passwordLost;
  return smtpPasswordSet ? text.passwordSet : text.passwordMissing;
};
const toBody = ({ removesPassword, smtpPassword, ...rest }: Values) => ({
  ...rest,
  smtpPassword: removesPassword ? null : smtpPassword,
});

/** Sends a test email using the form's values, and shows the mail server's response. */
function TestMail({ values }: { values: () => Promise<Values | undefined> }) {
  const [result, setResult] = useState<TestMailResponse>();
  const [pending, setPending] = useState(false);
  const send = async () => {
    setPending(true);
    setResult(undefined);
    try {
      const valid = await values();
      if (valid) setResult((await adminApi.adminSendTestMail({ body: toBody(valid) })).data);
    } catch (error) {
      showErrorToast(settingsMessages.failure, error);
    } finally {
      setPending(false);
    }
  };
  return (
    <div className="grid justify-items-start gap-3">
      <Button look="secondary" pending={pending} onClick={() => void send()}>
        {text.test}
      </Button>
      <p className="text-muted text-xs">{text.testHint}</p>
      {result && (
        <Notice kind={result.delivered ? 'info' : 'danger'}>
          <p role="status">
            {result.delivered ? text.delivered(result.to, result.answer) : text.rejected(result.answer)}
          </p>
        </Notice>
      )}
    </div>
  );
}

function EmailForm({ data }: { data: Data }) {
  const mayManage = useHasPermission('mail.manage');
  const settings = useSettingsForm<Values, Data>({
    screen: 'email',
    schema: schema as z.ZodType<unknown, Values>,
    data,
    toValues,
    read: async () => (await adminApi.getEmailSettings()).data,
    write: async (values, version) => (await adminApi.putEmailSettings({ body: { ...toBody(values), version } })).data,
  });
  const { form, stored } = settings;
  const removesPassword = form.watch('removesPassword');
  const validValues = async () =>
    (await form.trigger(undefined, { shouldFocus: true })) ? form.getValues() : undefined;
  return (
    <SettingsFormFrame settings={settings} permission="mail.manage">
      <Card title={text.server}>
        <div className="grid gap-5 md:grid-cols-2">
          <TextField label={text.smtpHost} {...form.field('smtpHost')} autoComplete="off" spellCheck={false} />
          <TextField label={text.smtpPort} {...form.field('smtpPort')} inputMode="numeric" autoComplete="off" />
          <TextField label={text.smtpUser} {...form.field('smtpUser')} autoComplete="off" spellCheck={false} />
          <div className="grid content-start gap-2">
            <PasswordField
              label={text.smtpPassword}
              hint={passwordHintOf(stored)}
              {...form.field('smtpPassword')}
              autoComplete="new-password"
              readOnly={removesPassword}
            />
            <Checkbox
              label={stored.smtpPasswordSet ? text.removePassword : text.noPassword}
              checked={removesPassword}
              onChange={(checked) => form.change({ removesPassword: checked, ...(checked && { smtpPassword: '' }) })}
            />
          </div>
        </div>
        <Switch label={text.smtpSecure} {...form.checkbox('smtpSecure')} />
      </Card>
      <Card title={text.sender}>
        <div className="grid gap-5 md:grid-cols-2">
          <TextField label={text.fromEmail} type="email" {...form.field('fromEmail')} />
          <TextField label={text.fromName} {...form.field('fromName')} />
        </div>
        {mayManage && <TestMail values={validValues} />}
      </Card>
      <Card title={text.sent}>
        <Switch label={text.welcomeEmailEnabled} {...form.checkbox('welcomeEmailEnabled')} />
        <Switch label={text.notificationEmailEnabled} {...form.checkbox('notificationEmailEnabled')} />
      </Card>
    </SettingsFormFrame>
  );
}
