/** Engines by public name. `auto` is resolved by the planner; the others run as asked. */
export const engineNames = ['photo-fast', 'photo', 'standard'] as const;
export type EngineName = (typeof engineNames)[number];
export const requestedEngines = ['auto', ...engineNames] as const;
export type RequestedEngine = (typeof requestedEngines)[number];
/** Engines that run a network. */
export const aiEngines = ['photo-fast', 'photo'] as const satisfies readonly EngineName[];
export type AiEngine = (typeof aiEngines)[number];
export const isAiEngine = (name: string): name is AiEngine => (aiEngines as readonly string[]).includes(name);
