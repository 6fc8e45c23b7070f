import * as z from 'zod/mini';
import { dayMs } from '../time.ts';
import { deliveryExpiry } from './times.ts';

/** The maximum number of messages that are retried according to their policy while a receiver is failing. */
export const maxActiveMessages = 5;

const leastWaitMs = 30_000;
const mostWaitMs = 15 * 60_000;

/** Returns whether the receiver has failed for so long that it gets only one attempt per day. */
export const isDead = (failingSince: number, now: number, deliveryDays: number): boolean =>
  now - failingSince >= deliveryDays * dayMs;

/**
 * Returns the milliseconds until the next visit to a failing receiver's parked messages. The wait is 10 % of the time
 * since the receiver began to fail, but at least 30 seconds and at most 15 minutes. The parked messages of a dead
 * receiver are visited once per day.
 */
export const visitWaitMs = (failingSince: number, now: number, deliveryDays: number): number =>
  isDead(failingSince, now, deliveryDays)
    ? dayMs
    : Math.round(Math.min(Math.max(leastWaitMs, 0.1 * (now - failingSince)), mostWaitMs));

/** Sorts messages by publication time. `publishedAt` is RFC 3339. */
export const orderOf = (publishedAt: string, messageId: string): string => `${publishedAt}#${messageId}`;

/**
 * Returns the maximum number of active messages. A dead receiver has only one active message, because a message with
 * unlimited retries may stay active forever.
 */
export const mostActive = (isReceiverDead: boolean): number => (isReceiverDead ? 1 : maxActiveMessages);

/**
 * Returns whether a message of a failing receiver is active. Active messages are the oldest waiting messages
 * (`oldest`).
 */
export const isActiveMessage = (order: string, oldest: readonly string[], isReceiverDead: boolean): boolean =>
  oldest.filter((other) => other < order).length < mostActive(isReceiverDead);

/** Returns whether a message is at least `deliveryDays` old. */
export const isOverdue = (publishedAt: string, now: number, deliveryDays: number): boolean =>
  Date.parse(publishedAt) + deliveryDays * dayMs <= now;

/**
 * Returns when the row of a parked message expires (epoch seconds). The row outlives the message by at least three
 * daily visits, so that a visit can record the failure.
 */
export const parkedExpiry = (now: number, deliveryDays: number): number => deliveryExpiry(now, 2 * deliveryDays + 3);

const leastStepMs = 1000;
const mostStepMs = 60_000;

/**
 * Returns the milliseconds until the next release of parked messages. The wait doubles with each step that released no
 * message (`idle`).
 */
export const releaseWaitMs = (idle: number): number => Math.min(leastStepMs * 2 ** idle, mostStepMs);

/**
 * The payload of a visit to a subscription's parked messages. The payload has a `stepId` only in steps that continue a
 * release.
 */
export const parkingPayload = z.object({
  parkingOf: z.string(),
  stepId: z.optional(z.string()),
  idle: z.optional(z.int()),
});
export type ParkingPayload = z.infer<typeof parkingPayload>;
