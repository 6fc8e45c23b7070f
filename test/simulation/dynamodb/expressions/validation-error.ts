import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

const httpStatusCode = 400;

/** A request that DynamoDB refuses to look at. The SDK has no class for it: it is known by its name. */
export const invalid = (message: string): DynamoDBServiceException =>
  new DynamoDBServiceException({
    name: 'ValidationException',
    $fault: 'client',
    $metadata: { httpStatusCode },
    message,
  });
