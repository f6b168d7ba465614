import { limits } from '@uprez/contracts/policy/limits';
import type { KeyKind, KeyScope } from '@uprez/contracts/schemas/api-keys';
import { formatCount } from '../../lib/format/format.ts';

const counted = (n: number, noun: string) => `${formatCount(n)} ${noun}${n === 1 ? '' : 's'}`;

type Choice = { label: string; hint: string };
const kinds: Record<KeyKind, Choice> = {
  live: { label: 'Live', hint: 'For what you run.' },
  test: {
    label: 'Test',
    hint: 'For trying things out. It begins in another way, so that you can tell it apart.',
  },
};
const scopes: Record<KeyScope, Choice> = {
  process: { label: 'Process', hint: 'Make images.' },
  read: { label: 'Read', hint: 'See what was made, and the account with what it has left.' },
  webhooks: { label: 'Webhooks', hint: 'Manage webhooks.' },
};

/** Texts of the tab with the keys of the public API. */
export const apiKeysMessages = {
  list: 'Your API keys',
  empty: {
    title: 'No API keys yet',
    text: 'Name one above to call the API from your programs.',
  },
  create: {
    title: 'New API key',
    name: 'Name',
    namePlaceholder: 'Where it is used: shop server',
    submit: 'New Key',
    pending: 'Creating...',
    options: 'More options',
    failed: 'Failed to create API key',
    unverified: 'Confirm your e-mail address first: we write to it when a key is made.',
    resend: 'Send the link again',
    created: 'API key created successfully',
    createdText: 'It is shown once. Save it before you close it.',
  },
  fields: {
    kind: 'Kind',
    kinds,
    scopes: 'It may',
    scopeOf: ({ label, hint }: Choice) => `${label}: ${hint}`,
    scopeList: scopes,
    noScope: 'Choose at least one.',
    expiry: 'Ends',
    never: 'Never',
    afterDays: (days: number) => `In ${counted(days, 'day')}`,
    onDate: 'On a date',
    keep: (date: string) => `As now: ${date}`,
    date: 'Last day',
    monthlyCap: 'Images a month',
    monthlyCapHint: 'Counted from the first day of the month, UTC. Empty: what your plan includes.',
    callsPerMinute: 'Calls a minute',
    callsPerMinuteHint: (calls: number) => `Empty: the ${formatCount(calls)} of your plan.`,
    addresses: 'Network addresses',
    addressesHint: `Only these may use the key, one a line: 203.0.113.7 or 203.0.113.0/24. At most ${limits.apiKeyAddresses}. Empty: all.`,
  },
  panel: {
    title: 'Save this key now',
    text: (name: string) => `This is the only time that all of "${name}" is shown. We keep no copy of it.`,
    copy: 'Copy the key',
    former: (preview: string, time: string) => `The key before it, ${preview}, works until ${time}.`,
    formerEnded: (preview: string) => `The key before it, ${preview}, does not work any more.`,
    done: "I've saved this key",
    leaving: 'The key is not shown again once you leave.',
    leave: 'Leave without it',
    stay: 'Stay here',
  },
  sample: {
    image: 'Try it: save an image as photo.jpg and run this beside it.',
    account: 'Try it: this asks for the account of the key.',
    copy: 'Copy the request',
    noRead: 'This call needs "Read", which this key may not do: it is answered with 403.',
    preview: 'Put the whole key in place of its preview.',
  },
  states: { active: 'Active', inactive: 'Inactive', expired: 'Expired', replaced: 'Replaced' },
  row: {
    toggle: (name: string) => `Active: ${name}`,
    turnedOn: (name: string) => `${name} is active`,
    turnedOff: (name: string) => `${name} is inactive`,
    updateFailed: 'Failed to update API key',
    updated: 'API key updated successfully',
    test: 'Test',
    scopes: 'May',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'Never',
    usedFrom: (time: string, address: string) => `${time} from ${address}`,
    calls: 'Calls',
    ends: 'Ends',
    ended: 'Ended',
    noEnd: 'Never',
    month: 'Images this month',
    ofCap: (used: number, cap: number) => `${formatCount(used)} of ${formatCount(cap)}`,
    callsPerMinute: 'Calls a minute',
    addresses: 'Only from',
    unused: `Unused for ${limits.apiKeyUnusedDays} days. Delete it if nothing needs it.`,
    actions: (name: string) => `Actions for ${name}`,
    edit: 'Rename or limit',
    rotate: 'Replace',
    remove: 'Delete',
    usage: 'Usage and sample request',
    usageOf: (name: string) => `Usage of ${name}`,
  },
  edit: {
    title: (name: string) => `Change "${name}"`,
    submit: 'Save',
    pending: 'Saving...',
    cancel: 'Cancel',
    replaced: 'It has been replaced, so its end stays as it is.',
  },
  rotate: {
    title: (name: string) => `Replace "${name}"`,
    text: 'You get a new key with the same name and limits.',
    overlap: 'The old key works',
    noOverlap: 'No longer: it stops at once',
    hours: (hours: number) =>
      hours % 24 === 0 ? `For ${counted(hours / 24, 'day')} more` : `For ${counted(hours, 'hour')} more`,
    submit: 'Make the new key',
    pending: 'Creating...',
    cancel: 'Cancel',
  },
  remove: {
    title: (name: string) => `Delete "${name}"?`,
    text: (preview: string) =>
      `Every program that uses ${preview} is refused from now on. Images that were made with it stay. This cannot be undone.`,
    confirm: 'Delete the key',
    failed: 'Failed to delete API key',
    done: (name: string) => `"${name}" is deleted`,
  },
  usage: {
    none: `No calls in the last ${limits.apiKeyUsageDays} days.`,
    series: { calls: 'Calls', errors: 'Refused or failed', units: 'Images' },
  },
  upgrade: {
    title: 'Call the API from your own programs',
    facts: [
      'Keys with limits of their own: scopes, an end, a monthly cap, network addresses',
      'Turn a key off, or replace it without a pause',
      'Calls and images of each key, day by day',
    ],
    price: (price: number, period: string) => `$${formatCount(price)} a ${period}`,
    included: (images: string) => `${images} a month`,
    callsPerMinute: (calls: number) => `${formatCount(calls)} calls a minute`,
    plans: 'Plans with the API',
    open: 'See the plans',
    left: 'Keys from before do not work on your plan. They work again on a plan with the API.',
  },
} as const;
