interface OperationWords {
  readonly description: string;
  /** A body that is sent. */
  readonly request?: unknown;
  /** What is answered with its first status, and what that says. */
  readonly answer: string;
  readonly example?: unknown;
}

const uin = '194837260511';
const topic = { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', name: 'CR' };
const subscription = {
  uuid: '7b1f2c3d-4e5f-8a6b-9c7d-8e9fa0b1c2d3',
  topic: 'CR',
  protocol: 'http',
  address: 'https://receiver.example.org/events',
  policy: '3600,168',
  active: true,
};
const messageId = '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e';
const publishedAt = '2026-11-20T08:00:00.000Z';
const delivered = {
  messageId,
  subject: 'liveBirth',
  publishedAt,
  state: 'delivered',
  attempts: [{ at: '2026-11-20T08:00:00.412Z', class: 'delivered', status: 200, durationMs: 42 }],
};
const page = '<!doctype html><title>…</title>';

/** What an operation does, by its name, with a request and an answer. */
export const operationWords: Readonly<Record<string, OperationWords>> = {
  generateUin: {
    description:
      'Registers a person under a new UIN, which holds no personal data. With an `Idempotency-Key` the same attributes answer the same UIN for 24 hours.',
    request: {
      firstName: 'Inés',
      lastName: 'García Müller',
      dateOfBirth: '2024-02-29',
      placeOfBirth: 'Málaga',
      gender: 2,
    },
    answer: 'The new UIN.',
    example: uin,
  },
  findPersons: {
    description:
      'Answers who has all the given attributes, ascending by UIN; nobody is an empty list. Text is compared without case, accents and white space.',
    answer: 'The UINs or, with `names`, those attributes of each person.',
    example: [uin],
  },
  readPerson: {
    description:
      'Answers the attributes that are named. An Error object with code 1023 stands for one that there is not.',
    answer: 'The attributes by name.',
    example: { firstName: 'Inés', status: { code: 1023, message: 'this person has no status' } },
  },
  matchPerson: {
    description: 'Compares attributes exactly, and answers those that do not match.',
    request: { firstName: 'Inés', lastName: 'Garcia' },
    answer: 'What does not match; an empty list, when all match.',
    example: [{ attributeName: 'lastName', errorCode: 1 }],
  },
  verifyPerson: {
    description: 'Answers whether all expressions hold. One on an attribute that the person lacks does not.',
    request: [{ attributeName: 'dateOfBirth', operator: '<=', value: '2008-11-20' }],
    answer: 'Whether all hold.',
    example: true,
  },
  readDocument: {
    description:
      'Answers the stored file, or converts it to the format asked for. Several pages of a picture format are parts of a `multipart/mixed`. `Accept` may name `multipart/mixed` or the format’s own media type (those of the answer below), with weights: who would rather have the first gets a single file as such a part, too; no other changes the answer.',
    answer: 'The document.',
  },
  createTopic: {
    description: 'Creates a topic. Of a name that there is already it answers that one.',
    answer: 'The topic.',
    example: topic,
  },
  listTopics: {
    description: 'Answers every topic, or with `limit` a page of them.',
    answer: 'The topics.',
    example: [topic],
  },
  deleteTopic: {
    description: 'Deletes a topic and its subscriptions; deliveries under way stop.',
    answer: 'Deleted.',
  },
  publishEvent: {
    description:
      'Takes an event for every confirmed subscription of the topic. Where its type (`subject`, or the topic’s name) is one of OSIA’s, its fields are checked. The body is kept byte for byte, whatever its Content-Type.',
    request: { source: 'CRVS', uin },
    answer: 'The message is durable.',
    example: { messageId },
  },
  subscribe: {
    description:
      'Asks an address to confirm that it wants the events of a topic. The same topic, protocol and address is the same subscription.',
    answer: 'The subscription, which waits to be confirmed, or the one that is active.',
    example: { ...subscription, active: false },
  },
  listSubscriptions: {
    description: 'Answers every subscription, or with `limit` a page of them.',
    answer: 'The subscriptions.',
    example: [subscription],
  },
  readSubscription: {
    description: 'Answers a subscription with its state, its last delivery and failure, and how many deliveries wait.',
    answer: 'The subscription and how it stands.',
    example: { ...subscription, state: 'active', createdAt: publishedAt, confirmedAt: publishedAt, waiting: 0 },
  },
  changeSubscription: {
    description: 'Changes what the body names (RFC 7396), of what is published from then on.',
    request: { policy: '600,10', subjects: null },
    answer: 'The subscription as it is now.',
    example: { ...subscription, policy: '600,10' },
  },
  testSubscription: {
    description: 'Sends a signed test event to this subscription alone, once; ten in an hour at the most.',
    answer: 'It is under way.',
    example: { messageId },
  },
  unsubscribe: {
    description: 'Ends a subscription; deliveries under way stop.',
    answer: 'Ended.',
  },
  confirmSubscription: {
    description: 'Proves that the address received the token, valid for 3 days. Confirming again is answered likewise.',
    answer: 'The subscription, which is active.',
    example: subscription,
  },
  listDeliveries: {
    description:
      'Answers what became of each message, since the subscription was first confirmed and within the ledger’s days.',
    answer: 'The deliveries of a page, which may be fewer than `limit`.',
    example: [delivered],
  },
  redeliverMessage: {
    description:
      'Makes a delivery again, also one that was made, with the same message id and the whole policy before it. 60 in an hour at the most by http, 10 by e-mail; `recover` makes all at once.',
    answer: 'It will be made; the delivery as it stands.',
    example: { ...delivered, state: 'waiting', attempts: [] },
  },
  recoverSubscription: {
    description:
      'Delivers in the background what failed, and what was published while the subscription was paused or had a filter that did not want it, where it fits the filter as it is now.',
    answer: 'It goes on; what it covers.',
    example: { since: publishedAt, until: '2026-11-20T09:00:00.000Z' },
  },
  publishKeys: {
    description: 'For the HTTP Message Signatures and the Standard Webhooks of deliveries.',
    answer: 'The keys.',
    example: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: 'k3Zr0Yb1',
          alg: 'EdDSA',
          use: 'sig',
        },
      ],
    },
  },
  readInterface: {
    description: 'This file, OSIA’s two interfaces by themselves, and `health`, which touches no store.',
    answer: 'The description, or `{"status":"ok"}`.',
  },
  showConfirmation: {
    description: 'For people who come from a mail; it shows a button.',
    answer: 'The page.',
    example: page,
  },
  confirmByPage: { description: 'What the button of that page does.', answer: 'A page that says so.', example: page },
  showUnsubscribe: {
    description: 'For people who come from a mail; it shows a button.',
    answer: 'The page.',
    example: page,
  },
  unsubscribeByPage: {
    description: 'What the button of that page does, and the one click of a mail program.',
    answer: 'A page that says so.',
    example: page,
  },
  showNeverAsk: {
    description: 'For people who come from a mail; it shows a button.',
    answer: 'The page.',
    example: page,
  },
  neverAskByPage: { description: 'What the button of that page does.', answer: 'A page that says so.', example: page },
};
