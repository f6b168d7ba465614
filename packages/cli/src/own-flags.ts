/** Flags that are not parameters of the API. `takes`: what follows them. */
type Flag = { says: string; takes?: string; short?: string };

export const ownFlags: Record<string, Flag> = {
  out: { says: 'folder for the results; made when it is missing', takes: 'FOLDER', short: 'o' },
  concurrency: { says: 'images at a time (default 4)', takes: 'N', short: 'c' },
  'dry-run': { says: 'tell what would be made and what it would cost; make nothing', short: 'n' },
  force: { says: 'replace results that exist already', short: 'f' },
  local: { says: 'work on this machine, with the command uprez-image; PNG where no --format is said' },
  sandbox: { says: 'use the sandbox: real but small images, free' },
  interval: { says: 'watch: seconds between two looks (default 2)', takes: 'N' },
  json: { says: 'print one line of JSON for every image' },
  quiet: { says: 'print failures only', short: 'q' },
  url: { says: 'where the service is (else UPREZ_URL)', takes: 'ADDRESS' },
  help: { says: 'this text', short: 'h' },
  version: { says: 'the version of this command' },
};
