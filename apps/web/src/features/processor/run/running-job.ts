/** The id of this tab's job, kept through a reload. */
const keyName = 'uprez.job';

export const rememberJob = (id: string) => sessionStorage.setItem(keyName, id);
export const findJob = () => sessionStorage.getItem(keyName) ?? undefined;
export const forgetJob = () => sessionStorage.removeItem(keyName);
