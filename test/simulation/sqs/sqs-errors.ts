import {
  BatchEntryIdsNotDistinct,
  BatchRequestTooLong,
  EmptyBatchRequest,
  MessageNotInflight,
  OverLimit,
  PurgeQueueInProgress,
  QueueDoesNotExist,
  ReceiptHandleIsInvalid,
  SQSServiceException,
  TooManyEntriesInBatchRequest,
} from '@aws-sdk/client-sqs';

const classes = {
  BatchEntryIdsNotDistinct,
  BatchRequestTooLong,
  EmptyBatchRequest,
  MessageNotInflight,
  OverLimit,
  PurgeQueueInProgress,
  QueueDoesNotExist,
  ReceiptHandleIsInvalid,
  TooManyEntriesInBatchRequest,
};

const $metadata = { httpStatusCode: 400 };

/** What SQS refuses, as the SDK throws it. */
export const refusal = (name: keyof typeof classes, message: string): SQSServiceException =>
  new classes[name]({ message, $metadata });

/** A parameter that SQS does not take; the SDK has no class of its own for it. */
export const invalidParameter = (message: string): SQSServiceException =>
  new SQSServiceException({ name: 'InvalidParameterValue', $fault: 'client', message, $metadata });
