import { randomUUID } from 'node:crypto';
import { type CarriedNotification, carriedNotification } from '../../shared/domain/deliveries/message.ts';
import type { DeliveryOutcome } from '../../shared/domain/deliveries/outcome.ts';
import type { Lease } from '../../shared/storage/deliveries/rows.ts';
import { aNotification, aTopic, noon } from './builders.ts';

/** Epoch seconds. */
export const expiresAt = noon / 1000 + 30 * 24 * 3600;
export const leaseMs = 30_000;
/** The time at which the messages in tests are published. */
export const publishedAt = new Date(noon).toISOString();

/** Returns a new lease that starts the given number of milliseconds after noon. */
export const aLease = (afterMs = 0): Lease => {
  const now = noon + afterMs;
  return { id: randomUUID(), now, leaseUntil: now + leaseMs, expiresAt };
};

export const delivered: DeliveryOutcome = { class: 'delivered', status: 200, at: noon, next: 'none' };
export const retried: DeliveryOutcome = {
  class: 'http',
  status: 500,
  at: noon,
  next: 'retry',
  notBefore: noon + 60_000,
};
export const failed: DeliveryOutcome = { class: 'http', status: 410, at: noon, next: 'failed' };
export const moved: DeliveryOutcome = { class: 'split', at: noon, next: 'retry', notBefore: noon };

/** Returns a task for a batch delivery of a new message. */
export const aBatchTask = ({ messageId = randomUUID() as string } = {}) =>
  ({ messageId, taskKey: '00#000000#http', attempt: 0, protocol: 'http', publishedAt, rowShard: 0 }) as const;

/** Returns a stored publication, in the form that every store and job accepts. */
export const aPublication = (given: Partial<CarriedNotification> = {}): CarriedNotification => {
  const { type: _, ...content } = aNotification(aTopic({ name: 'CR' }));
  return carriedNotification.parse({ ...content, ...given });
};
