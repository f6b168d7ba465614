/** Switch to an unprivileged user. Call it after all imports, because that user may not have access to the modules. */
export function dropPrivileges({ uid, gid }: { uid?: number | undefined; gid?: number | undefined }): void {
  if (uid === undefined || gid === undefined) return;
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
