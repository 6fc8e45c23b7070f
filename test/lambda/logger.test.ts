import { afterEach, describe, expect, it, vi } from 'vitest';
import { bundleVariable } from '../../shared/contract/log-lines.ts';
import { InternalError, internalErrors } from '../../shared/domain/internal-errors.ts';
import { logError } from '../../shared/lambda/logger.ts';
import { readConsole } from '../harness/console-lines.ts';

const marker = 'Zanzibar-4711';
const lines = readConsole();

/** The line that is logged of an error, of which nothing may carry the marker. */
function lineOf(error: unknown): Record<string, unknown> {
  logError('failed', error, { operation: 'publishEvent' });
  expect(lines.error).toHaveLength(1);
  expect(lines.error.join()).not.toContain(marker);
  return JSON.parse(lines.error[0] ?? 'null');
}

/** An error as AWS's SDK throws it. */
const ofAws = (name: string, more: object = {}) =>
  Object.assign(new Error(marker), {
    ...{ name, $fault: 'client', $service: 'SQS', $response: { body: marker } },
    $metadata: { httpStatusCode: 400, requestId: 'aws-1', attempts: 1 },
    ...more,
  });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the line of a fault', () => {
  it('says its name, what it means and its ids, beside the fields given', () => {
    const line = lineOf(new InternalError('missingBody', { messageId: 'm-1' }));
    expect(line).toEqual({
      ...{ message: 'failed', operation: 'publishEvent', error: 'missingBody', messageId: 'm-1' },
      ...{ reason: internalErrors.missingBody.message, at: expect.stringContaining('logger.test.ts') },
    });
  });

  it('says what kind of error it came from, and what AWS answered', () => {
    const line = lineOf(new InternalError('missingSecret', { secret: 'signing' }, ofAws('ResourceNotFoundException')));
    expect(line).toMatchObject({ error: 'missingSecret', cause: 'ResourceNotFoundException' });
    expect(line).toMatchObject({ awsStatus: 400, awsRequestId: 'aws-1' });
  });

  it('says the kinds of both errors where it came from two', () => {
    const cause = new AggregateError([new TypeError(marker), ofAws('QueueDoesNotExist')], marker);
    const line = lineOf(new InternalError('keptNowhere', { messageId: 'm-1', taskKey: 'message' }, cause));
    expect(line).toMatchObject({ error: 'keptNowhere', cause: 'TypeError, QueueDoesNotExist', awsRequestId2: 'aws-1' });
  });

  it.each([
    [
      'dynamodb:PutItem',
      'User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: dynamodb:PutItem on resource: a',
    ],
    [
      'sqs:sendmessage',
      'User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: sqs:sendmessage on resource: a',
    ],
    [
      'ses:SendRawEmail',
      "User `arn:aws:sts::1:assumed-role/r/f' is not authorized to perform `ses:SendRawEmail' on resource `a'",
    ],
    [
      's3:GetObject',
      `User: r is not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::b/documents/${marker}"`,
    ],
  ])('says which action was refused: %s', (action, message) => {
    const line = lineOf(Object.assign(ofAws('AccessDeniedException'), { message }));
    expect(line).toMatchObject({ denied: action });
    expect(JSON.stringify(line)).not.toContain(marker);
  });

  it('says of an error of AWS its code, the status and the id by which AWS finds the request', () => {
    const line = lineOf(ofAws('ProvisionedThroughputExceededException'));
    expect(line).toMatchObject({ error: 'ProvisionedThroughputExceededException', awsStatus: 400 });
    expect(line).toMatchObject({ awsRequestId: 'aws-1' });
    expect(line).not.toHaveProperty('reason');
  });

  it('says the code of an error of the system, and of no other', () => {
    expect(lineOf(Object.assign(new Error(marker), { code: 'ECONNREFUSED' }))).toMatchObject({ code: 'ECONNREFUSED' });
    lines.error.length = 0;
    expect(lineOf(Object.assign(new Error(marker), { code: marker }))).not.toHaveProperty('code');
  });

  it.each([
    [new RangeError(marker), 'RangeError'],
    [marker, 'string'],
    [undefined, 'undefined'],
    [null, 'object'],
  ])('says of anything else only what kind it is: %#', (error, kind) => {
    expect(lineOf(error)).toMatchObject({ message: 'failed', operation: 'publishEvent', error: kind });
  });

  it('says no place that only the message has', () => {
    expect(lineOf(new Error(`first\n    at ${marker} (x.ts:1:1)`)).at).not.toContain('x.ts');
  });

  it('says of which bundle it is, so that its source lines are found', () => {
    vi.stubEnv(bundleVariable, 'f00d');
    expect(lineOf(new Error(marker))).toMatchObject({ bundle: 'f00d' });
  });
});
