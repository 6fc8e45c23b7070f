/** Logged when a delivery fails permanently. */
export const deliveryFailed = 'delivery failed';

/** Logged for each internal error that the `Faults` metric counts. */
export const internalErrorLogged = 'failed';

/** Logged with the reason when an access token is rejected. */
export const tokenRefused = 'token rejected';

/** Logged at level DEBUG for each delivery attempt. Lambda drops DEBUG lines; the local stack shows them. */
export const deliveryAttempted = 'attempted';

/**
 * The environment variable that contains the hash of the function's bundle. Error log lines contain this hash in the
 * field `bundle`.
 */
export const bundleVariable = 'BUNDLE_HASH';
