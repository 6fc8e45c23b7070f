import {
  BatchEntryIdsNotDistinct,
  BatchRequestTooLong,
  EmptyBatchRequest,
  QueueDoesNotExist,
  SQSServiceException,
  TooManyEntriesInBatchRequest,
} from '@aws-sdk/client-sqs';

const classes = {
  BatchEntryIdsNotDistinct,
  BatchRequestTooLong,
  EmptyBatchRequest,
  QueueDoesNotExist,
  TooManyEntriesInBatchRequest,
};

const $metadata = { httpStatusCode: 400 };

/** Returns an SQS error in the form in which the SDK throws it. */
export const sqsError = (name: keyof typeof classes, message: string): SQSServiceException =>
  new classes[name]({ message, $metadata });

/** Returns the error for an invalid parameter. The SDK has no class for invalid parameters. */
export const invalidParameter = (message: string): SQSServiceException =>
  new SQSServiceException({ name: 'InvalidParameterValue', $fault: 'client', message, $metadata });
