import * as z from 'zod/mini';
import { dayMs } from '../time.ts';
import { deliveryExpiry } from './times.ts';

/**
 * The maximum number of messages that are retried according to the subscription's policy while the receiver is failing.
 */
export const maxActiveMessages = 5;

const leastWaitMs = 30_000;
const mostWaitMs = 15 * 60_000;

/** Returns whether the receiver has been failing for so long that it gets only one attempt per day. */
export const isDead = (failingSince: number, now: number, deliveryDays: number): boolean =>
  now - failingSince >= deliveryDays * dayMs;

/**
 * Returns the wait in milliseconds before the parked messages of a failing receiver are next processed. The wait is 10
 * % of the time since the receiver began to fail, but at least 30 seconds and at most 15 minutes. The parked messages
 * of a dead receiver are processed once per day.
 */
export const visitWaitMs = (failingSince: number, now: number, deliveryDays: number): number =>
  isDead(failingSince, now, deliveryDays)
    ? dayMs
    : Math.round(Math.min(Math.max(leastWaitMs, 0.1 * (now - failingSince)), mostWaitMs));

/** Returns a key by which messages are sorted by publication time. `publishedAt` is an RFC 3339 time. */
export const orderOf = (publishedAt: string, messageId: string): string => `${publishedAt}#${messageId}`;

/**
 * Returns the maximum number of active messages. A dead receiver has only one active message, because a message with
 * unlimited retries may stay active forever.
 */
export const mostActive = (isReceiverDead: boolean): number => (isReceiverDead ? 1 : maxActiveMessages);

/**
 * Returns whether a message to a failing receiver is active. The oldest waiting messages (`oldest`) are active.
 */
export const isActiveMessage = (order: string, oldest: readonly string[], isReceiverDead: boolean): boolean =>
  oldest.filter((other) => other < order).length < mostActive(isReceiverDead);

/** Returns whether a message is at least `deliveryDays` old. */
export const isOverdue = (publishedAt: string, now: number, deliveryDays: number): boolean =>
  Date.parse(publishedAt) + deliveryDays * dayMs <= now;

/**
 * Returns the time (epoch seconds) at which the row of a parked message expires. The row is kept for at least three
 * days longer than the message, so that one of the daily visits can record the failure.
 */
export const parkedExpiry = (now: number, deliveryDays: number): number => deliveryExpiry(now, 2 * deliveryDays + 3);

const leastStepMs = 1000;
const mostStepMs = 60_000;

/**
 * Returns the wait in milliseconds before more parked messages are released. The wait doubles after each step that
 * released no message. `idle` is the number of these steps.
 */
export const releaseWaitMs = (idle: number): number => Math.min(leastStepMs * 2 ** idle, mostStepMs);

/**
 * The payload that starts a visit to a subscription's parked messages. Only steps that continue a release have a
 * `stepId`.
 */
export const parkingPayload = z.object({
  parkingOf: z.string(),
  stepId: z.optional(z.string()),
  idle: z.optional(z.int()),
});
export type ParkingPayload = z.infer<typeof parkingPayload>;
