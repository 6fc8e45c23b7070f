import { resourceOf } from '../../shared/contract/api-stage.ts';
import { aNotification, aSubscription, aTask, aTopic } from '../harness/builders.ts';
import { apiEvent, sqsEvent } from '../harness/lambda-events.ts';

const path = { uin: '10' };
const person = '{"firstName":"Inés"}';
const topic = aTopic({ name: 'CR' });

export const readPersonEvent = apiEvent({ path, query: 'attributeNames=firstName' });

/** Returns the first event for each measured function, keyed by function name. */
export const firstEvents = (token: string): Readonly<Record<string, unknown>> => ({
  authorize: {
    type: 'REQUEST',
    methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/v1/GET/persons/10',
    resource: resourceOf('/v1/persons/{uin}'),
    httpMethod: 'GET',
    headers: { Authorization: `Bearer ${token}` },
    requestContext: { requestId: 'request-1' },
  },
  readPerson: readPersonEvent,
  generateUin: apiEvent({ method: 'POST', body: person }),
  subscribe: apiEvent({ method: 'POST', query: 'topic=CR&address=https://receiver.example/events' }),
  readDocument: apiEvent({ path, query: 'doctype=birthCertificate&format=pdf' }),
  deliverByHttp: sqsEvent(aTask(aNotification(topic), [aSubscription(topic)])),
});
