import { invalidLink } from '@uprez/contracts/policy/newsletter';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { documentTitle } from '../../messages.ts';

const titleOf = (path: keyof typeof pageTitles) => documentTitle(pageTitles[path]);

export const newsletterMessages = {
  form: {
    email: 'Email',
    submit: 'Subscribe',
    pending: 'Subscribing...',
    done: 'Check your inbox',
    another: 'Use another email address',
  },
  blog: {
    title: 'Newsletter',
    text: 'Get new posts and product news by email. Unsubscribe at any time.',
  },
  status: {
    title: 'Stay Informed',
    text: 'Get an email about incidents and planned maintenance. Unsubscribe at any time.',
  },
  topics: 'What you get',
  topicHints: { news: 'New posts and product news', status: 'Incidents and planned maintenance' },
  services: {
    legend: 'Services',
    all: 'All services',
    chosen: 'Chosen services',
    missing: 'Choose at least one service.',
  },
  confirm: {
    document: titleOf(sitePaths.confirmSubscription),
    title: 'Confirm your subscription',
    pending: 'Confirming your subscription',
    failed: "Couldn't confirm your subscription",
    retry: 'Confirm subscription',
    done: "You're subscribed",
    text: (email: string) => `${email} will get:`,
    preferences: 'Change email preferences',
  },
  preferences: {
    document: titleOf(sitePaths.preferences),
    title: 'Email preferences',
    failed: "Couldn't load your preferences",
    retry: 'Try again',
    text: (email: string) => `Choose which emails ${email} gets.`,
    submit: 'Save preferences',
    pending: 'Saving...',
    saved: 'Preferences saved',
    savedNone: "You're unsubscribed. We won't send more newsletters or status notifications.",
    leave: 'Unsubscribe from all',
  },
  unsubscribe: {
    document: titleOf(sitePaths.unsubscribe),
    title: 'Unsubscribe',
    text: (email: string) => `${email} will no longer get newsletters or status notifications.`,
    textOf: {
      news: (email: string) => `${email} will no longer get new posts and product news.`,
      status: (email: string) => `${email} will no longer get emails about incidents and planned maintenance.`,
    },
    submit: 'Unsubscribe',
    pending: 'Unsubscribing...',
    all: 'Unsubscribe from all',
    done: "You're unsubscribed",
    left: (email: string) => `${email} won't get more newsletters or status notifications.`,
    leftOf: {
      news: (email: string) => `${email} still gets status notifications.`,
      status: (email: string) => `${email} still gets news.`,
    },
    preferences: 'Change email preferences',
  },
  invalid: invalidLink,
} as const;
