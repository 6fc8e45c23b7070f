/** A start that cannot work here, in one line that says what to do. */
export class StartError extends Error {}
