/** Become an unprivileged user for good. Call it after everything is imported and loaded: files may be unreadable then. */
export function dropPrivileges({ uid, gid }: { uid?: number | undefined; gid?: number | undefined }): void {
  if (uid === undefined || gid === undefined) return;
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
