/** This variable contains the names of the edits, separated by spaces: mutations, or `small` for small mode. */
export const editsVariable = 'SIMULATION_EDITS';

export const chosenEdits = (): string[] => (process.env[editsVariable] ?? '').split(' ').filter((name) => name !== '');

/**
 * Returns whether shards, segments and limits are tiny. Small topics then use the code paths of large topics.
 */
export const isSmall = (): boolean => chosenEdits().includes('small');
