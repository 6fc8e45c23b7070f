const engine =
  'confirmation requests are single deliveries without a body, so the worker uses only part of the delivery code';

const endedTopic = 'needed only if the topic is deleted before the clean-up has deleted the subscription';

const noVersions = 'the local bucket has no versions';

const inParts = 'needed only to upload an object of more than 5 MB in parts';

const byLambda = 'Lambda itself reads the queue with the permissions of the function';

/** Grants that no scene uses, each with the reason. */
export const unusedGrants: Readonly<Record<string, string>> = {
  'requestConfirmationByEmail dynamodb:GetItem deliveries': engine,
  'requestConfirmationByEmail dynamodb:PutItem deliveries': engine,
  'requestConfirmationByEmail dynamodb:Query deliveries/index/bySubscription': engine,
  'requestConfirmationByEmail sqs:SendMessage fanOut': engine,
  'requestConfirmationByEmail s3:GetObject documents/messages/*': engine,
  'requestConfirmationByEmail s3:PutObject documents/messages/*': engine,
  'requestConfirmationByEmail sqs:SendMessage emailConfirmations': engine,
  'requestConfirmationByEmail kms:Decrypt via s3': engine,
  'requestConfirmationByEmail kms:GenerateDataKey via s3': engine,
  'confirmSubscription dynamodb:DeleteItem subscriptions': endedTopic,
  'confirmByPage dynamodb:DeleteItem subscriptions': endedTopic,
  'importChanges dynamodb:GetItem deliveries':
    'publishing reads a stored body only for a long event, but the events of imports are short',
  'importChanges sqs:SendMessage imports': 'needed only if an import needs several runs or waits for its turn',
  'importChanges s3:AbortMultipartUpload documents/imports/*':
    'needed only if the upload of a report of more than 5 MB fails',
  'importChanges s3:GetObjectVersion documents/imports/*': noVersions,
  'importChanges s3:DeleteObjectVersion documents/documents/*': noVersions,
  'importChanges s3:DeleteObjectVersion documents/renditions/*': noVersions,
  'exportJournal s3:AbortMultipartUpload exportedjournal/journal/*':
    'needed only if the upload of an hourly object of more than 5 MB fails',
  'exportJournal kms:Decrypt via s3': inParts,
  'exportDeliveries kms:Decrypt via s3': inParts,
  'exportDeliveries s3:AbortMultipartUpload exportedjournal/deliveries/*':
    'needed only if the upload of a very long list of recipients fails',
  'linkDocuments s3:DeleteObjectVersion documents/documents/*': noVersions,
  'linkDocuments s3:DeleteObjectVersion documents/renditions/*': noVersions,
  'linkDocuments sqs:SendMessage documentEvents': 'needed only if a bucket has more documents than one run can link',
  'linkDocuments kms:GenerateDataKey via sqs': 'needed only to send messages to the documentEvents queue',
  'linkDocuments kms:Decrypt via sqs': byLambda,
  'readMailFeedback kms:Decrypt via sqs': byLambda,
  'removeSubscriptions kms:Decrypt via sqs': byLambda,
  'removeSubscriptions kms:GenerateDataKey via sqs': 'needed only to send messages to the cleanUp queue',
  'removeSubscriptions sqs:SendMessage cleanUp': 'needed only if a topic has more subscribers than one run can remove',
};

const body =
  'without permission to list objects, S3 does not report a missing object, so the function logs missingBody';

/** Grants whose absence is not logged with the name of the action, each with the reason. */
export const unloggedGrants: Readonly<Record<string, string>> = {
  'fanOut s3:GetObject documents/messages/*': body,
  'fanOut kms:Decrypt via s3': body,
  'deliverByHttp kms:Decrypt via s3': body,
  'deliverByEmail kms:Decrypt via s3': body,
  'deliverByHttp s3:GetObject documents/messages/*': body,
  'deliverByEmail s3:GetObject documents/messages/*': body,
  'subscribe dynamodb:DeleteItem limits':
    "subscribe deletes a slot's row after an internal error, which is logged. A slot that is not released expires",
};
