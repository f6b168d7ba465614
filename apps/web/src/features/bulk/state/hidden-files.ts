/** Files and folders that Windows and macOS create, whose names don't start with a dot. */
const systemNames: readonly string[] = ['thumbs.db', 'desktop.ini', '__macosx', 'icon\r'];

const isHidden = (name: string) => /^\.(?!\.?$)/.test(name) || systemNames.includes(name.toLowerCase());

/** Whether a file, or a folder in its path, is hidden or belongs to the operating system. */
export const isHiddenPath = (path: string): boolean => path.split(/[/\\]/).some(isHidden);
