/** The names of the edits to apply to the source code, separated by spaces: mutations, and `small` for small mode. */
export const editsVariable = 'SIMULATION_EDITS';

export const chosenEdits = (): string[] => (process.env[editsVariable] ?? '').split(' ').filter((name) => name !== '');

/** Whether shards, segments and limits are tiny, so that a few subscriptions take every path of a large topic. */
export const isSmall = (): boolean => chosenEdits().includes('small');
