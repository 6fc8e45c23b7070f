/**
 * What feeds on queues and what the clock starts is killed when its time is over: were its promise refused a moment
 * before, as middy does by itself, Lambda would freeze the copy and thaw its unfinished work in the middle of the next
 * invocation, after its leases.
 */
export const killedAtTheEnd = { timeoutEarlyInMillis: 0 } as const;
