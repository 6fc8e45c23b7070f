// DynamoDB says the first of an index that is not there, or still being built; IAM the last of one that the grants of the
// release before do not name. Emulators say the second.
const unbuilt = new Set(['ValidationException', 'ResourceNotFoundException', 'AccessDeniedException']);

/** Whether a query of an index failed because that is not there to be asked: not yet, or no more. */
export const isUnbuilt = (error: unknown): boolean => error instanceof Error && unbuilt.has(error.name);
