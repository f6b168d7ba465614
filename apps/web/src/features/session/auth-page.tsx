import { toNextPath } from '@uprez/contracts/policy/next-path';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { loginBodySchema, registerBodySchema } from '@uprez/contracts/schemas/user';
import { formatPrice } from '@uprez/contracts/texts/format';
import { findPlanNameOfPath, intervalTexts } from '@uprez/contracts/texts/plans';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { usePlans } from '../../lib/api/queries.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { emptyAsUndefined, useApiForm } from '../../lib/forms/use-api-form.ts';
import { hasStoredImage } from '../../lib/images/image-store.ts';
import { countCarriedFiles } from '../../lib/session/carried-files.ts';
import { hasPasskeys, passkeyMessages } from '../../lib/session/passkey-support.ts';
import { resetPasswordMessages } from '../../lib/session/reset-password-messages.ts';
import { findOwner } from '../../lib/session/session-lifecycle.ts';
import { findLinkNextPath } from '../../lib/session/use-resend-link.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, linkStyle } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { CodeField, TextField } from '../../ui/controls/text-field.tsx';
import { FormError } from '../../ui/feedback/form-error.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { pricingMessages } from '../../ui/plans/messages.ts';
import { hasPendingRun } from '../processor/state/run-storage.ts';
import { useAuth } from './auth-provider.tsx';
import { ForgotForm } from './reset-form.tsx';
import { Consent, NameFields } from './sign-up-fields.tsx';

const text = messages.auth;

const formNames = ['sign-in', 'sign-up'] as const;

type FormName = (typeof formNames)[number];

const tabStyle =
  'control flex-1 rounded-[6px] text-muted text-sm hover:text-ink data-[state=active]:bg-raised data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:outline data-[state=active]:outline-line';

/** Signed-in users are redirected to `next`. */
export function AuthPage() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  const [tab, chooseTab] = useSearchParam({ name: 'tab', choices: formNames, fallback: 'sign-in' });
  if (user) return <Navigate to={toNextPath(params.get('next'))} replace />;
  return (
    <div className="mx-auto grid w-full max-w-240 items-start gap-12 px-4 py-10 sm:px-6 md:grid-cols-2 md:py-20">
      <section className="order-last grid max-w-md gap-8 md:order-first">
        <div className="grid gap-3">
          <p className="font-bold text-xl tracking-tight text-balance">{text.tagline}</p>
          <p className="text-muted">{text.lead}</p>
        </div>
        <PlanList />
      </section>
      <section className="w-full max-w-md rounded-card border border-line bg-surface p-5 sm:p-7 md:justify-self-end">
        <PageHeading title={tab === 'sign-up' ? messages.page.signUp : messages.page.auth} className="mb-5 text-lg">
          {text.title}
        </PageHeading>
        {params.has('next') && <p className="mb-5 text-muted text-sm">{describeSignInReason(params.get('next'))}</p>}
        <Tabs.Root value={tab} onValueChange={(next) => chooseTab(next as FormName)}>
          <Tabs.List aria-label={text.tabs} className="mb-6 flex rounded-control border border-line bg-sunken p-0.5">
            <Tabs.Trigger value="sign-in" className={tabStyle}>
              {text.signIn}
            </Tabs.Trigger>
            <Tabs.Trigger value="sign-up" className={tabStyle}>
              {text.signUp}
            </Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="sign-in" tabIndex={-1}>
            <SignIn />
          </Tabs.Content>
          <Tabs.Content value="sign-up" tabIndex={-1}>
            <SignUpForm />
          </Tabs.Content>
        </Tabs.Root>
      </section>
    </div>
  );
}

function PlanList() {
  const plans = usePlans();
  return (
    <div className="min-h-96">
      <QueryView query={plans} skeleton={<Skeleton className="h-96" />}>
        {(cards) => (
          <ul aria-label={pricingMessages.list} className="grid gap-2">
            {cards.map(({ key, name, price, period, features: [first] }) => (
              <li key={key} className="grid gap-0.5 rounded-card border border-line bg-surface px-4 py-3 text-sm">
                <span className="flex items-baseline justify-between gap-4">
                  <span className="font-medium">{name}</span>
                  <span className="flex items-baseline gap-1 text-muted text-xs">
                    <span className="font-medium text-base text-ink tabular-nums">{formatPrice(price)}</span>
                    {intervalTexts[period].per}
                  </span>
                </span>
                <span className="text-muted">{first}</span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}

function describeSignInReason(next: string | null): string {
  const plan = findPlanNameOfPath(next);
  if (plan) return text.subscribes(plan);
  const files = countCarriedFiles();
  const isKnown = findOwner() !== undefined;
  if (files > 0 && next === paths.dashboard)
    return isKnown ? `${text.ended} ${text.keepsImagesOfUser(files)}` : text.keepsImages(files, currentPlans.free);
  if (hasPendingRun()) return isKnown ? `${text.ended} ${text.startsRunAgain}` : text.startsRun;
  const reason = hasStoredImage() ? text.keepsImage : text.goOn;
  return isKnown ? `${text.ended} ${reason}` : reason;
}

function PasskeyButton() {
  const { passkeyLogin } = useAuth();
  return (
    <Button
      look="secondary"
      size="wide"
      pending={passkeyLogin.isPending}
      pendingText={passkeyMessages.pending}
      onClick={() => passkeyLogin.mutate()}
    >
      {passkeyMessages.use}
    </Button>
  );
}

type SignInFormProps = { takesFocus: boolean; onForgot: (email: string) => void };

/** `takesFocus`: whether to focus the email field. Set when this form replaces another form. */
function SignInForm({ takesFocus, onForgot }: SignInFormProps) {
  const { login } = useAuth();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useApiForm({
    schema: loginBodySchema,
    defaultValues: { email: '', password: '', code: undefined },
    failure: text.loginFailed,
    send: (body) =>
      login.mutateAsync(body, {
        onError: (error) => setNeedsCode((needed) => needed || hasErrorCode(error, 'two_factor_required')),
      }),
  });
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <TextField
        label={text.email}
        // Clears all errors, because the server reports a wrong email address on the password field.
        {...form.field('email', { onChange: () => form.clearErrors() })}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={takesFocus}
        required
      />
      <PasswordField label={text.password} {...form.field('password')} autoComplete="current-password" required />
      {needsCode && <CodeField {...form.field('code', emptyAsUndefined)} autoFocus />}
      <FormError form={form} />
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pendingSignIn}>
        {text.submitSignIn}
      </Button>
      {hasPasskeys() && <PasskeyButton />}
      <button type="button" onClick={() => onForgot(form.getValues('email'))} className={linkStyle}>
        {text.forgot}
      </button>
    </form>
  );
}

function SignIn() {
  const { login } = useAuth();
  /** Undefined while the sign-in form is shown. */
  const [resetEmail, setResetEmail] = useState<string>();
  const [hasReturned, setHasReturned] = useState(false);
  const [sentMessage, setSentMessage] = useState<string>();
  const close = () => {
    setResetEmail(undefined);
    setHasReturned(true);
  };
  if (resetEmail !== undefined)
    return (
      <ForgotForm
        email={resetEmail}
        onSent={(message) => {
          setSentMessage(message);
          close();
        }}
        onBack={close}
      />
    );
  return (
    <div className="grid gap-5">
      {sentMessage && login.isIdle && <Notice kind="info">{sentMessage}</Notice>}
      <SignInForm
        takesFocus={hasReturned}
        onForgot={(email) => {
          login.reset();
          setSentMessage(undefined);
          setResetEmail(email);
        }}
      />
    </div>
  );
}

function SignUpForm() {
  const { register } = useAuth();
  const minLength = useMinPasswordLength();
  const [params] = useSearchParams();
  const form = useApiForm({
    schema: registerBodySchema,
    defaultValues: { firstName: undefined, lastName: undefined, email: '', password: '', acceptTerms: false },
    failure: text.registrationFailed,
    send: (body) => register.mutateAsync({ ...body, username: body.email, next: findLinkNextPath(params.get('next')) }),
  });
  const { ref } = form.register('acceptTerms');
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <NameFields field={form.field} />
      <TextField label={text.email} {...form.field('email')} type="email" autoComplete="email" required />
      <PasswordField
        label={text.password}
        {...form.field('password')}
        autoComplete="new-password"
        required
        hint={resetPasswordMessages.hint(minLength)}
      />
      <Checkbox
        ref={ref}
        label={<Consent />}
        {...form.checkbox('acceptTerms')}
        error={form.errorOf('acceptTerms')}
        required
      />
      <FormError form={form} />
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pendingSignUp}>
        {text.submitSignUp}
      </Button>
    </form>
  );
}
