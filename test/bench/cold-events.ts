import { resourceOf } from '../../shared/contract/api-stage.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { workers } from '../../shared/contract/workers.ts';
import { aNotification, aSubscription, aTask, aTopic, tokenOf } from '../harness/builders.ts';
import { apiEvent, sqsEvent } from '../harness/lambda-events.ts';

const id = '01890000-0000-7000-8000-000000000000';
const path = { uin: '10', uuid: id, messageId: id, file: 'health' };
const byToken = { query: `token=${tokenOf(id)}` };

/** The parts of each operation's first request, except the method and path. */
const requests: Readonly<Record<string, Partial<Parameters<typeof apiEvent>[0]>>> = {
  findPersons: { query: 'lastName=Garcia&dateOfBirth=2024-02-29' },
  readPerson: { query: 'attributeNames=firstName' },
  matchPerson: { body: '{"firstName":"Inés"}' },
  verifyPerson: { body: '[{"attributeName":"firstName","operator":"=","value":"Inés"}]' },
  generateUin: { body: '{"firstName":"Inés"}' },
  readDocument: { query: 'doctype=birthCertificate&format=pdf' },
  createTopic: { query: 'name=CR' },
  publishEvent: { query: 'subject=liveBirth', body: '{"source":"hospital-1","uin":"10"}' },
  subscribe: { query: 'topic=CR&address=https://receiver.example/events' },
  changeSubscription: { body: '{"policy":"10,5"}' },
  confirmSubscription: byToken,
  showConfirmation: byToken,
  confirmByPage: byToken,
  showUnsubscribe: byToken,
  unsubscribeByPage: byToken,
  showStopRequests: byToken,
  stopRequestsByPage: byToken,
};

const topic = aTopic({ name: 'CR', uuid: id, generation: id });
const notification = aNotification(topic);
const subscription = aSubscription(topic);

const payloads: Readonly<Record<string, unknown>> = {
  fanOut: { publicationId: id, notification },
  deliverByEmail: aTask(notification, [{ ...subscription, protocol: 'email' }]),
  requestConfirmationByEmail: aTask(notification, [{ ...subscription, protocol: 'email' }]),
  readMailFeedback: {
    eventType: 'Bounce',
    mail: {
      messageId: '1',
      timestamp: '2026-01-01T00:00:00.000Z',
      tags: { subscription: [id], topic: [id], generation: [id] },
    },
    bounce: { bounceType: 'Permanent' },
  },
  wait: { notBefore: 0, task: aTask(notification, [subscription]) },
  removeSubscriptions: { topicUuid: id, before: id },
};

const jobs: Readonly<Record<string, unknown>> = {
  sweep: {},
  redeliver: { messageId: id },
  recover: { subscription: id },
  allowRequests: { address: 'clerk@example.org' },
  unsuppress: { address: 'clerk@example.org' },
};

/** Returns the first event of a function, or undefined if the contract does not list the function. */
export function firstEvent(name: string, token: string): unknown {
  const endpoint = endpoints.find(({ operation }) => operation === name);
  if (endpoint !== undefined) return apiEvent({ ...requests[name], path, method: endpoint.method });
  const worker = workers.find(({ lanes }) => lanes.some(({ lane }) => lane === name));
  if (worker !== undefined) return sqsEvent(payloads[worker.worker] ?? aTask(notification, [subscription]));
  if (name !== 'authorize') return jobs[name];
  return {
    type: 'REQUEST',
    methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/v1/GET/persons/10',
    resource: resourceOf('/v1/persons/{uin}'),
    httpMethod: 'GET',
    headers: { Authorization: `Bearer ${token}` },
    requestContext: { requestId: 'request-1' },
  };
}
