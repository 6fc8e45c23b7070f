import { documentFormats, mediaTypes } from '../../domain/documents/document-format.ts';
import type { JsonObject } from '../json-schema.ts';

interface ParameterWords {
  readonly description: string;
  readonly example: unknown;
  /** Where the schema reads more than callers should write. */
  readonly schema?: JsonObject;
}

const uin = { description: 'The person’s UIN.', example: '194837260511' };
const subscriptionUuid = {
  description: 'The subscription’s uuid, from subscribing.',
  example: '7b1f2c3d-4e5f-8a6b-9c7d-8e9fa0b1c2d3',
};
const topicUuid = {
  description: 'The topic’s uuid, from its creation.',
  example: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61',
};
const messageId = { description: 'The id of a message.', example: '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e' };
const ofPage = { description: 'The token in the link of a mail.', example: 'AZIh0aR8G4qcVQ86XSt-YQ.h7Zk3n5q' };
const ifNoneMatch = {
  description: 'ETags of what the caller has: where one is still right, the answer is 304 (RFC 9110 section 13.1.2).',
  example: '"9f86d081884c7d65"',
};
const transactionId = {
  description: 'Ignored: clients of OSIA send it with every operation.',
  example: 'b7f0c1d2',
};

/** Parameters by name; where one means something else in an operation, by the operation's name before it. */
export const parameterWords: Readonly<Record<string, ParameterWords>> = {
  uin,
  uuid: subscriptionUuid,
  'deleteTopic uuid': topicUuid,
  'publishEvent uuid': { description: 'The topic’s uuid, or its name.', example: 'CR' },
  messageId,
  'listDeliveries messageId': { ...messageId, description: 'Tell of this message alone.' },
  file: { description: 'Which description, or whether the API answers.', example: 'openapi.json' },
  transactionId,
  'generateUin transactionId': {
    description:
      'As `Idempotency-Key`, in the query: the same with the same attributes answers the same UIN for 24 hours.',
    example: 'b7f0c1d2',
  },
  'idempotency-key': {
    description: 'Chosen by the caller to make a repeated request safe; it belongs to that caller.',
    example: 'birth-2026-000417',
  },
  purpose: {
    description:
      'What the answer is for, in a few words that the person may be shown. What is not ASCII is percent-encoded. Required where the deployment says so.',
    example: 'passport application',
    // Whoever reads it takes percent signs away.
    schema: { type: 'string', maxLength: 3072, pattern: '^([ -$&-~]|%[0-9A-Fa-f]{2})*$' },
  },
  'accept-language': {
    description:
      'The languages that the reader likes (RFC 9110 section 12.5.4); the page is in the best that there is.',
    example: 'fr-CA, fr;q=0.9, en;q=0.5',
  },
  'if-none-match': ifNoneMatch,
  names: {
    description: 'Answer these attributes of each person, in place of the UINs. Repeated, or comma-joined.',
    example: ['firstName', 'dateOfBirth'],
  },
  attributeNames: {
    description: 'The attributes to read. Repeated, or comma-joined; at most 100.',
    example: ['firstName', 'dateOfBirth'],
  },
  limit: { description: 'Answer a page of at most so many; without it everything.', example: 100 },
  'listDeliveries limit': { description: 'Answer a page of at most so many.', example: 20 },
  'findPersons limit': {
    description: 'Answer at most so many persons: with `names` at most 100. Without it all of them, or 400.',
    example: 100,
  },
  offset: { description: 'Leave out so many persons, by ascending UIN.', example: 0 },
  cursor: {
    description: 'Where the page begins; from the `Link` of the page before.',
    example: 'AZQLbi96fD6KUW0PGyw9Tg',
  },
  name: { description: 'The topic’s name: one line of text, which does not look like a UUID.', example: 'CR' },
  topic: { description: 'The topic’s name or uuid.', example: 'CR' },
  protocol: { description: 'How the address is reached.', example: 'http' },
  address: {
    description: 'Where to deliver: an http or https URL on the public Internet, or a mailbox.',
    example: 'https://receiver.example.org/events',
  },
  policy: {
    description:
      '`countdown,max`: seconds between two attempts (1 to 1209600), and retries (-1, without end, to 100000).',
    example: '3600,168',
  },
  'subscribe subject': {
    description: 'A filter: deliver only events with one of these types or subjects. At most 20.',
    example: ['death', 'liveBirth'],
  },
  subject: {
    description: 'The event’s type, or what else it is about: one line of text, which receivers get as a header.',
    example: 'liveBirth',
  },
  token: ofPage,
  'confirmSubscription token': {
    description: 'The token that the address received.',
    example: 'AZIh0aR8G4qcVQ86XSt-YQ.47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
    // Twice the same is taken for one.
    schema: { type: 'string', pattern: '^[\\w.-]{1,200}$' },
  },
  state: { description: 'Tell of these alone.', example: 'failed' },
  since: { description: 'From when on; without it, as far back as there is.', example: '2026-11-20T08:00:00Z' },
  doctype: { description: 'Type of the document, as the registry names it.', example: 'birth' },
  format: {
    description: 'The format to answer, by its name or media type. What is stored in another is converted to it.',
    example: 'pdf',
    // Aliases and capitals are read, too.
    schema: { type: 'string', enum: [...Object.keys(documentFormats), ...mediaTypes] },
  },
  secondaryUin: {
    description:
      'UIN of a second person of the document, such as a spouse; `-` for the document that names nobody else. Needed where the person has several documents of the type.',
    example: '203948571624',
  },
  page: { description: 'This page alone; from 1 on.', example: 1 },
};
