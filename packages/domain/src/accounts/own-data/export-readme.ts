/** What a person who opens an export reads first. */
export const exportReadme = (siteName: string): string => `Your data at ${siteName}

This archive holds what is kept about your account, as of the moment when it was made. All times are in UTC. Files that
end in .json are plain text; any text editor or browser opens them.

profile.json   Your account: name, e-mail address, plan, when you joined, which terms you accepted, whether two-factor
               sign-in is on.
sessions.json  The browsers that are signed in to your account, with their network addresses, and those that were
               signed in before and are remembered.
keys.json      The names, limits and use of your API keys; their secrets are known to you alone.
webhooks.json  Where your programs wanted to hear of events.
jobs.json      Every image that you had processed: the name of its file, the settings you chose, what was made of it
               and when. "image" names the result in this archive, if it was still stored.
batches.json   Which files you sent together, with what settings, and what became of each.
ledger.json    Every unit that was reserved, spent or given back, and why.
mails.json     Which mails were sent to you, and when.
audit.json     What administrators changed of your account, and why.
images/      The results that were still stored. An image that you upload is deleted once it is processed, and a
               result once its time is over: those are not here.

Your password, the secret of your authenticator app and your recovery codes are not here: they are kept in a form that
cannot be read back, or must not leave the site.
`;
