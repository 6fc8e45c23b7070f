/** The queues of the delivery engine. Each has a dead-letter queue, which holds only our own faults. */
export const queues = {
  fanOut: 'publications that become tasks',
  http: 'first attempts by http',
  slow: 'tasks by http for one receiver each: retries, and receivers that are slow or failing',
  email: 'tasks due for delivery by e-mail',
  retry: 'tasks that wait for their next attempt, in hops',
  mailFeedback: 'bounces and complaints that SES tells of',
  cleanUp: 'deleted topics whose subscriptions must go',
} as const satisfies Record<string, string>;

export type QueueName = keyof typeof queues;
