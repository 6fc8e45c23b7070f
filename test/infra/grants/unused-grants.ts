const engine =
  'it runs the engine of all deliveries, of which requests to confirm, each alone and without a body, take a part';

const noTags = 'a merge copies the tags of documents along: the laptop keeps none';
const noVersions = 'the bucket of the laptop keeps no versions';

/** The grants that no scene uses, each with its reason. */
export const unplayed: Readonly<Record<string, string>> = {
  'askByEmail dynamodb:GetItem deliveries': engine,
  'askByEmail dynamodb:PutItem deliveries': engine,
  'askByEmail dynamodb:Query deliveries/index/bySubscription': engine,
  'askByEmail s3:GetObject documents/messages/*': engine,
  'askByEmail s3:PutObject documents/messages/*': engine,
  'askByEmail sqs:SendMessage emailConfirmations': engine,
  'importChanges dynamodb:GetItem deliveries':
    'publishing a long body looks for it first: the events of imports are short',
  'importChanges sqs:SendMessage imports':
    'the rest of an import that takes more than one run, or that waits for its turn',
  'importChanges s3:AbortMultipartUpload documents/imports/*': 'a report of more than 5 MB whose upload breaks',
  'importChanges s3:GetObjectVersion documents/imports/*': noVersions,
  'importChanges s3:GetObjectTagging documents/documents/*': noTags,
  'importChanges s3:PutObjectTagging documents/documents/*': noTags,
  'importChanges s3:DeleteObjectVersion documents/documents/*': noVersions,
  'importChanges s3:DeleteObjectVersion documents/renditions/*': noVersions,
  'exportJournal s3:AbortMultipartUpload exportedjournal/journal/*':
    'an object of more than 5 MB, of an hour of very many rows, whose upload breaks',
  'exportDeliveries s3:AbortMultipartUpload exportedjournal/deliveries/*':
    'an event that very many were told of, whose upload breaks',
  'linkDocuments s3:GetObjectTagging documents/documents/*': noTags,
  'linkDocuments s3:PutObjectTagging documents/documents/*': noTags,
  'linkDocuments s3:DeleteObjectVersion documents/documents/*': noVersions,
  'linkDocuments s3:DeleteObjectVersion documents/renditions/*': noVersions,
  'linkDocuments sqs:SendMessage documentEvents': 'the rest of a bucket that has more documents than one run can link',
  'removeSubscriptions sqs:SendMessage cleanUp':
    'the rest of a topic that has more subscribers than one run can remove',
};

const body =
  'S3 tells who may not list as little of an object that is missing: the fault that is logged is missingBody';

/** The grants without which the log does not name the action, each with its reason. */
export const unheard: Readonly<Record<string, string>> = {
  'fanOut s3:GetObject documents/messages/*': body,
  'deliverByHttp s3:GetObject documents/messages/*': body,
  'deliverByEmail s3:GetObject documents/messages/*': body,
  'subscribe dynamodb:DeleteItem limits':
    'it gives a place back after a fault, which is logged; one that is not given back comes free by its time',
};
