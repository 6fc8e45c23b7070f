import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

const httpStatusCode = 400;

/** Returns the error for an invalid request. The SDK has no class for this error, so only its name is set. */
export const invalid = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({
    name: 'ValidationException',
    $fault: 'client',
    $metadata: { httpStatusCode },
    message,
  });
