import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { genericProfile, profileNamePattern } from '@uprez/contracts/policy/images/print-profiles';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import { readPrintProfile } from '@uprez/imaging/inspect/print-profile';

/** The operator's CMYK profiles by name. */
export type PrintProfiles = ReadonlyMap<string, { icc: Buffer; description: string }>;

/**
 * Reads the CMYK profiles in a folder. A profile is named like its file in lowercase, without the extension. Calls
 * `onSkipped` for files that can't be used. Returns none if the folder doesn't exist.
 */
export function readPrintProfiles(
  folder: string,
  onSkipped: (skipped: { file: string; reason: string }) => void,
): PrintProfiles {
  const profiles = new Map<string, { icc: Buffer; description: string }>();
  for (const entry of listFolder(folder)) {
    const { name: stem, ext } = path.parse(entry.toLowerCase());
    if (!['.icc', '.icm'].includes(ext)) continue;
    const file = path.join(folder, entry);
    try {
      if (!profileNamePattern.test(stem) || stem === genericProfile || profiles.has(stem))
        throw new Error('the name is reserved, used twice, or has other characters than a-z, 0-9, ".", "_", and "-"');
      const icc = readFileSync(file);
      profiles.set(stem, { icc, ...readPrintProfile(icc, stem) });
    } catch (error) {
      onSkipped({ file, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return profiles;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Writes the profile of a job to its folder. Throws AppError `invalid_parameter` if this worker doesn't have it. */
export async function writePrintProfile(profiles: PrintProfiles, name: string | undefined, dir: string): Promise<void> {
  if (name === undefined || name === genericProfile) return;
  const profile = profiles.get(name);
  if (!profile)
    throw new AppError('invalid_parameter', {
      detail: `The CMYK profile "${name}" isn't on the server that ran the job.`,
    });
  await writeFile(path.join(dir, jobFiles.printProfile), profile.icc, { mode: 0o644 });
}
