import { useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { SecuritySettings } from '@uprez/contracts/schemas/settings';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../site-map.ts';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { SettingsFormFrame } from '../settings/settings-form.tsx';
import { useSettingsForm } from '../settings/use-settings-form.ts';
import {
  type NumberSetting,
  type SecurityValues,
  type StoredSecurity,
  securityDefaults,
  securityFormSchema,
  toSecuritySettings,
  toSecurityValues,
} from './security-values.ts';
import { securitySettingsMessages as text } from './settings-messages.ts';

/** The ID of the element that contains the control of a setting. */
export const settingId = (name: keyof SecuritySettings): string => `security-${name}`;
const Setting = ({ name, children }: { name: keyof SecuritySettings; children: ReactNode }) => (
  <div id={settingId(name)} className="grid content-start gap-1">
    {children}
  </div>
);

function useSecurityForm(data: StoredSecurity) {
  const queryClient = useQueryClient();
  return useSettingsForm<SecurityValues, StoredSecurity>({
    screen: 'security',
    schema: securityFormSchema,
    data,
    toValues: toSecurityValues,
    read: async () => (await adminApi.getSecuritySettings()).data,
    write: async (values, version) => {
      const { data: written } = await adminApi.putSecuritySettings({
        body: { ...toSecuritySettings(values), version },
      });
      void queryClient.invalidateQueries({ queryKey: [adminRoutes.adminListRecommendations.path] });
      return written;
    },
  });
}

/** Says that the administrator would be locked out. */
function OwnTwoFactorNotice() {
  if (useOwnUser()?.twoFactorEnabled !== false) return null;
  return (
    <Notice kind="warning">
      <p>
        {text.ownTwoFactor}{' '}
        <Link to={paths.account} className="underline">
          {text.turnOn}
        </Link>
      </p>
    </Notice>
  );
}

/** How people sign in, and how the API may be called. */
export function SecurityForm({ data }: { data: StoredSecurity }) {
  const settings = useSecurityForm(data);
  const { form } = settings;
  const { requireTwoFactor, rateLimitEnabled } = form.watch();
  const numberField = (name: NumberSetting) => (
    <Setting name={name}>
      <TextField
        label={text[name]}
        hint={`${text[`${name}Hint`]} ${text.byDefault(securityDefaults[name])}`}
        {...form.field(name)}
        inputMode="numeric"
        autoComplete="off"
      />
    </Setting>
  );
  const toggle = (name: 'requireTwoFactor' | 'rateLimitEnabled', checked: boolean) => (
    <Setting name={name}>
      <Switch label={text[name]} checked={checked} onChange={(on) => form.change({ [name]: on })} />
      <p className="text-muted text-xs">{text[`${name}Hint`]}</p>
    </Setting>
  );
  return (
    <SettingsFormFrame settings={settings} permission="security.manage">
      <Card title={text.signIn}>
        {toggle('requireTwoFactor', requireTwoFactor)}
        {requireTwoFactor && <OwnTwoFactorNotice />}
        <div className="grid gap-5 md:grid-cols-2">
          {numberField('sessionTimeout')}
          {numberField('minPasswordLength')}
          {numberField('maxLoginAttempts')}
          {numberField('lockoutDuration')}
        </div>
      </Card>
      <Card title={text.api}>
        {toggle('rateLimitEnabled', rateLimitEnabled)}
        <div className="grid gap-5 md:grid-cols-2">
          {numberField('rateLimitRequests')}
          <Setting name="allowedOrigins">
            <TextArea
              label={text.allowedOrigins}
              hint={text.allowedOriginsHint}
              {...form.field('allowedOrigins')}
              autoComplete="off"
              spellCheck={false}
            />
          </Setting>
        </div>
      </Card>
    </SettingsFormFrame>
  );
}
