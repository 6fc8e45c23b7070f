const engine =
  'the worker runs the engine of all deliveries, but confirmation requests are single deliveries without a body and use only a part of it';

const noTags = 'a merge copies the tags of documents, and the local S3 has no tags';
const noVersions = 'the local bucket has no versions';

/** The grants that no scene uses, each with its reason. */
export const unusedGrants: Readonly<Record<string, string>> = {
  'requestConfirmationByEmail dynamodb:GetItem deliveries': engine,
  'requestConfirmationByEmail dynamodb:PutItem deliveries': engine,
  'requestConfirmationByEmail dynamodb:Query deliveries/index/bySubscription': engine,
  'requestConfirmationByEmail s3:GetObject documents/messages/*': engine,
  'requestConfirmationByEmail s3:PutObject documents/messages/*': engine,
  'requestConfirmationByEmail sqs:SendMessage emailConfirmations': engine,
  'importChanges dynamodb:GetItem deliveries':
    'publishing checks for a stored body only if the body is long, and the events of imports are short',
  'importChanges sqs:SendMessage imports':
    'the rest of an import that needs more than one run, or that waits for its turn',
  'importChanges s3:AbortMultipartUpload documents/imports/*': 'a report of more than 5 MB whose upload fails',
  'importChanges s3:GetObjectVersion documents/imports/*': noVersions,
  'importChanges s3:GetObjectTagging documents/documents/*': noTags,
  'importChanges s3:PutObjectTagging documents/documents/*': noTags,
  'importChanges s3:DeleteObjectVersion documents/documents/*': noVersions,
  'importChanges s3:DeleteObjectVersion documents/renditions/*': noVersions,
  'exportJournal s3:AbortMultipartUpload exportedjournal/journal/*':
    'an object of more than 5 MB, for an hour of very many rows, whose upload fails',
  'exportDeliveries s3:AbortMultipartUpload exportedjournal/deliveries/*':
    'an event with very many recipients, whose upload fails',
  'linkDocuments s3:GetObjectTagging documents/documents/*': noTags,
  'linkDocuments s3:PutObjectTagging documents/documents/*': noTags,
  'linkDocuments s3:DeleteObjectVersion documents/documents/*': noVersions,
  'linkDocuments s3:DeleteObjectVersion documents/renditions/*': noVersions,
  'linkDocuments sqs:SendMessage documentEvents': 'the rest of a bucket with more documents than one run can link',
  'removeSubscriptions sqs:SendMessage cleanUp': 'the rest of a topic with more subscribers than one run can remove',
};

const body = 'without the right to list, S3 does not report that an object is missing: the function logs missingBody';

/** The grants whose absence is not logged with the name of the action, each with its reason. */
export const unloggedGrants: Readonly<Record<string, string>> = {
  'fanOut s3:GetObject documents/messages/*': body,
  'deliverByHttp s3:GetObject documents/messages/*': body,
  'deliverByEmail s3:GetObject documents/messages/*': body,
  'subscribe dynamodb:DeleteItem limits':
    'it releases a place after an internal error, which is logged. A place that is not released expires',
};
