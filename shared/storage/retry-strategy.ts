import {
  type DynamoDBClientConfig,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { noteGivenUp, timeLeftMs } from '../lambda/time-left.ts';

const firstPauseMs = 25;
const longestPauseMs = 1000;
// What a function needs to answer that it could not.
const marginMs = 500;
// Outside of an invocation nobody says when the time is over.
const mostTries = 8;

/**
 * The one rule of waiting for DynamoDB: how many milliseconds to pause after a try that failed for a passing reason (`tries`: how
 * many there were), at random up to a span that doubles, a second at the most; undefined where the invocation has no time
 * left for another. There is no other limit: a write after a delivery that is given up makes the delivery twice.
 */
export function pauseAfter(tries: number): number | undefined {
  const left = timeLeftMs();
  const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  if (left === undefined) return tries < mostTries ? pauseMs : undefined;
  return pauseMs < left - marginMs ? pauseMs : undefined;
}

// Reasons that say nothing about our conditions, and that the SDK takes for errors of ours.
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
 * How our DynamoDB clients try again, by the rule above: throttling, faults of DynamoDB's own, answers that got lost on the way,
 * and transactions that another write or a throttle cancelled. The SDK's own strategies share a quota between all calls of a
 * process, which some hundred throttled writes use up, and give up after a number of tries.
 */
export const patientRetries: Strategy = {
  acquireInitialRetryToken: async () => token(0, 0),
  async refreshRetryTokenForRetry(last, { error, errorType }) {
    const tries = last.getRetryCount() + 1;
    if (errorType === 'CLIENT_ERROR' && !isPassing(error)) throw error;
    const pauseMs = pauseAfter(tries);
    if (pauseMs === undefined) {
      noteGivenUp(Object(error));
      throw error;
    }
    return token(tries, pauseMs);
  },
  recordSuccess() {},
};
