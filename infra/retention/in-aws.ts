import type { Kept } from './kept.ts';

export const inAws: readonly Kept[] = [
  {
    what: 'what has left or been changed in a table, any of them',
    at: { aws: 'backups' },
    of: 'all of them',
    // "Point-in-time backups" in the Amazon DynamoDB Developer Guide.
    days: 35,
    ends: 'after that',
  },
  {
    what: 'log lines: callers and ids, also of subscriptions and events; what AWS WAF refuses, with its network address',
    at: { aws: 'logs' },
    of: 'a caller',
    days: { setting: 'logRetentionDays' },
    ends: 'after the line',
  },
  // "Metrics retention" in the Amazon CloudWatch User Guide: 15 months.
  { what: 'metrics: counts and times', at: { aws: 'metrics' }, of: 'nobody', days: 455, ends: 'after the minute' },
  // "AWS X-Ray concepts" in its Developer Guide.
  {
    what: 'traces, with `tracing`: functions and times',
    at: { aws: 'traces' },
    of: 'nobody',
    days: 30,
    ends: 'after the request',
  },
  { what: 'what keys are made of', at: { aws: 'secrets' }, of: 'nobody', ends: 'an operator deletes the secret' },
  {
    what: 'addresses that have bounced or complained',
    at: { aws: 'suppressionList' },
    of: 'a subscriber',
    ends: '`unsuppress`',
  },
];
