import {
  type DynamoDBClientConfig,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { isYielding, markGivenUp, timeLeftMs } from '../lambda/time-left.ts';

const firstPauseMs = 25;
const maxPauseMs = 1000;
// Pauses are longer by this factor for work that has not contacted a receiver yet.
const yieldingFactor = 4;
// The time that a function needs to return an error response.
const marginMs = 500;
// Outside an invocation, there is no deadline, so the number of attempts is limited.
const maxTries = 8;

/**
 * Returns a random pause in milliseconds after `tries` failed attempts. The upper limit of the pause doubles with each
 * attempt, up to 1 second. Returns undefined if the invocation has no time left for another attempt. The number of
 * attempts is unlimited, because a delivery that is not recorded would be repeated.
 */
export function pauseAfter(tries: number): number | undefined {
  const left = timeLeftMs();
  const usualMs = Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1));
  const pauseMs = isYielding() ? yieldingFactor * usualMs : usualMs;
  if (left === undefined) return tries < maxTries ? pauseMs : undefined;
  return pauseMs < left - marginMs ? pauseMs : undefined;
}

// Temporary reasons for the cancellation of a transaction. The SDK would treat a cancelled transaction as a client
// error.
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

function isPassing(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code = '' }) => Code);
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => passing.has(code));
}

type Strategy = Extract<NonNullable<DynamoDBClientConfig['retryStrategy']>, { acquireInitialRetryToken: unknown }>;

const token = (tries: number, pauseMs: number) => ({ getRetryCount: () => tries, getRetryDelay: () => pauseMs });

/**
 * The retry strategy of our DynamoDB clients. The strategy retries throttling, server errors, lost responses, and
 * transactions cancelled by another write or by throttling. The SDK's own strategies give up after a few attempts, and
 * a few hundred throttled writes use up the quota that all retries share.
 */
export const retryStrategy: Strategy = {
  acquireInitialRetryToken: async () => token(0, 0),
  async refreshRetryTokenForRetry(last, { error, errorType }) {
    const tries = last.getRetryCount() + 1;
    if (errorType === 'CLIENT_ERROR' && !isPassing(error)) throw error;
    const pauseMs = pauseAfter(tries);
    if (pauseMs === undefined) {
      markGivenUp(Object(error));
      throw error;
    }
    return token(tries, pauseMs);
  },
  recordSuccess() {},
};
