import { limits } from '@uprez/contracts/policy/limits';

export const viewAsMessages = {
  open: 'View as user',
  title: (user: string) => `View as ${user}?`,
  text: `You'll see the web app as this user for ${limits.viewMinutes} minutes. You can't make changes or open images. The user can see when support viewed their account.`,
  browser: 'Unsaved images and settings in this browser will be cleared.',
  submit: 'Start viewing',
  pending: 'Starting...',
} as const;
