// DynamoDB says the first of an index that is not there, or still being built; emulators say the second.
const unbuilt = new Set(['ValidationException', 'ResourceNotFoundException']);

/** Whether a query of an index failed because that is not there to be asked: not yet, or no more. */
export const isUnbuilt = (error: unknown): boolean => error instanceof Error && unbuilt.has(error.name);
