import { limits } from '@uprez/contracts/policy/limits';
import { useState } from 'react';
import { useEmailChoice } from '../../../lib/session/use-email-choice.ts';
import { messages } from '../../../messages.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';

/** Offers an email about the end of a long batch, and stays once offered. `seconds`: remaining time, if known. */
export function BatchEmailChoice({ seconds = 0 }: { seconds: number | undefined }) {
  const { user, checked, change } = useEmailChoice('batchEmails');
  const [isOffered, setOffered] = useState(false);
  const isLong = seconds > limits.longBatchMinutes * 60;
  if (isLong && !isOffered) setOffered(true);
  if (!user?.emailVerified || !(isLong || isOffered)) return null;
  return <Checkbox label={messages.emailChoices.batch} checked={checked} onChange={(chosen) => change(chosen)} />;
}
