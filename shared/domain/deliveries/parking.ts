import * as z from 'zod/mini';
import { dayMs } from '../time.ts';
import { deliveryExpiry } from './times.ts';

/** The maximum number of messages that are tried by their policy while a receiver is failing. */
export const maxActiveMessages = 5;

const leastWaitMs = 30_000;
const mostWaitMs = 15 * 60_000;

/** Returns whether the receiver has failed for so long that it gets one attempt per day. */
export const isDead = (failingSince: number, now: number, deliveryDays: number): boolean =>
  now - failingSince >= deliveryDays * dayMs;

/**
 * Returns the milliseconds until the next visit to a failing receiver's parked messages: 10 % of the time since the
 * receiver began to fail, between 30 seconds and 15 minutes. A dead receiver is visited once per day.
 */
export const visitWaitMs = (failingSince: number, now: number, deliveryDays: number): number =>
  isDead(failingSince, now, deliveryDays)
    ? dayMs
    : Math.round(Math.min(Math.max(leastWaitMs, 0.1 * (now - failingSince)), mostWaitMs));

/** Sorts messages by publication time. `publishedAt` is RFC 3339. */
export const orderOf = (publishedAt: string, messageId: string): string => `${publishedAt}#${messageId}`;

/** Returns the maximum number of active messages. A dead receiver has one, whose endless policy may never end. */
export const mostActive = (isReceiverDead: boolean): number => (isReceiverDead ? 1 : maxActiveMessages);

/** Returns whether a message of a failing receiver is active: one of the oldest that wait, which `oldest` lists. */
export const isActiveMessage = (order: string, oldest: readonly string[], isReceiverDead: boolean): boolean =>
  oldest.filter((other) => other < order).length < mostActive(isReceiverDead);

/** Returns whether a message has been parked until the end of its `deliveryDays`. */
export const isOverdue = (publishedAt: string, now: number, deliveryDays: number): boolean =>
  Date.parse(publishedAt) + deliveryDays * dayMs <= now;

/**
 * Returns when the row of a parked message expires, in epoch seconds: at least three daily visits after the message
 * itself, so that a visit records its failure first.
 */
export const parkedExpiry = (now: number, deliveryDays: number): number => deliveryExpiry(now, 2 * deliveryDays + 3);

const leastStepMs = 1000;
const mostStepMs = 60_000;

/** Returns the milliseconds until the next release. The wait doubles with each step that released nothing (`idle`). */
export const releaseWaitMs = (idle: number): number => Math.min(leastStepMs * 2 ** idle, mostStepMs);

/** The payload of a visit to a subscription's parked messages. Only the next step of a release has a `stepId`. */
export const parkingPayload = z.object({
  parkingOf: z.string(),
  stepId: z.optional(z.string()),
  idle: z.optional(z.int()),
});
export type ParkingPayload = z.infer<typeof parkingPayload>;
