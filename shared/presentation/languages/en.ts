import type { EventNames, EventTexts } from './event-texts.ts';
import { inNumber } from './in-number.ts';

const locale = 'en-GB';

const writing = {
  /** Of dates, numbers, lists and plurals (BCP 47). */
  locale,
  direction: 'ltr' as 'ltr' | 'rtl',
  quoted: (words: string) => `“${words}”`,
  /** Words before what they are about, such as a link on the next line. */
  introducing: (words: string) => `${words}:`,
};

const eventNames: EventNames = {
  liveBirth: 'Live birth',
  death: 'Death',
  birthCancellation: 'Birth cancellation',
  foetalDeath: 'Foetal death',
  marriage: 'Marriage',
  divorce: 'Divorce',
  annulment: 'Annulment',
  separation: 'Separation',
  adoption: 'Adoption',
  legitimation: 'Legitimation',
  recognition: 'Recognition',
  changeOfName: 'Change of name',
  changeOfGender: 'Change of gender',
  updatePerson: 'Update of a person',
  newPerson: 'New person',
  duplicatePerson: 'Duplicate person',
};

/** Of a request to confirm, in mail and page alike. */
const request = {
  title: 'Confirm your subscription',
  button: 'Confirm the subscription',
  never: 'Never ask this address again',
  begins: 'Nothing is sent until you confirm.',
  replaces: (changes: string) =>
    `It is told of some already, and that stays as it is until you confirm. Confirming changes ${changes}.`,
  repeats: 'It is told of them already: confirming changes nothing.',
  changes: {
    subjects: 'which events it is told of',
    policy: 'how a delivery that failed is tried again',
    caller: 'which client the subscription belongs to',
  },
};

/** What the institution's own lines are called. */
const letterhead = { contact: 'Contact', privacy: 'Privacy notice' };

export const pages = {
  writing,
  eventNames,
  request,
  letterhead,
  service: 'Registry notifications',
  topic: 'Topic',
  address: 'Address',
  events: 'Events',
  eventsBefore: 'Events until now',
  allEvents: 'all',
  confirm: {
    lead: 'Somebody asked for this address to be told of the events of this topic.',
    otherwise: (days: number) =>
      inNumber(locale, days, {
        one: 'If you did not ask for this, close this page: the request ends by itself after # day.',
        other: 'If you did not ask for this, close this page: the request ends by itself after # days.',
      }),
  },
  neverAsk: {
    title: 'Never ask this address again',
    lead: 'Shall this address never be asked again to confirm a subscription? Subscriptions that it has confirmed go on.',
    button: 'Never ask again',
    otherwise: 'To be asked as before, close this page.',
  },
  neverAsked: {
    title: 'This address is not asked again',
    lead: 'Nobody else can subscribe this address from now on. The link of a request that you have already still confirms.',
    otherwise: 'To take this back, write to whoever runs this service.',
  },
  confirmed: {
    title: 'Subscription confirmed',
    lead: 'From now on, events of this topic are sent to this address.',
    otherwise: 'Every mail has a link to unsubscribe.',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    lead: 'Do you want to stop mails about the events of this topic to this address?',
    button: 'Unsubscribe',
    otherwise: 'To keep the subscription, close this page.',
  },
  unsubscribed: {
    title: 'You are unsubscribed',
    lead: 'Nothing more is sent to this address about this topic.',
    gone: 'This subscription has ended. Nothing more is sent to its address.',
  },
  badLink: {
    title: 'This link does not work',
    incomplete: 'The link is incomplete or altered. Open it again from the mail.',
    confirm: 'The link is incomplete, altered or no longer the latest one. Open it again from the newest mail.',
    expired: 'The link has expired. Ask for the subscription again: you will receive a mail with a new link.',
    unsubscribe:
      'The link is incomplete, altered or too old. ' +
      'Open it again from a newer mail, or ask whoever runs this service to end the subscription.',
  },
  fault: {
    title: 'Something went wrong',
    lead: 'This is a fault on our side. Please try again in a few minutes.',
    request: (id: string) => `If it stays, report this request: ${id}`,
  },
};

const parents = { uin: 'Child', uin1: 'First parent', uin2: 'Second parent' };
const spouses = { uin1: 'First spouse', uin2: 'Second spouse' };
const person = { uin: 'Person' };

const events: EventTexts = {
  liveBirth: { happened: 'A birth was registered', labels: parents },
  death: { happened: 'A death was registered', labels: { uin: 'Deceased person' } },
  birthCancellation: { happened: 'The registration of a birth was cancelled', labels: person },
  foetalDeath: { happened: 'A foetal death was registered', labels: { uin: 'Child' } },
  marriage: { happened: 'A marriage was registered', labels: spouses },
  divorce: { happened: 'A divorce was registered', labels: spouses },
  annulment: { happened: 'The annulment of a marriage was registered', labels: spouses },
  separation: { happened: 'A legal separation was registered', labels: spouses },
  adoption: { happened: 'An adoption was registered', labels: parents },
  legitimation: { happened: 'A legitimation was registered', labels: parents },
  recognition: { happened: 'A recognition of a child was registered', labels: parents },
  changeOfName: { happened: 'A change of name was registered', labels: person },
  changeOfGender: { happened: 'A change of gender was registered', labels: person },
  updatePerson: { happened: 'The data of a person were updated', labels: person },
  newPerson: { happened: 'A new person was entered in the registry', labels: person },
  duplicatePerson: {
    happened: 'Duplicate entries of a person were found',
    labels: { uin: 'Person', duplicates: 'Duplicates' },
  },
};

export const mails = {
  writing,
  eventNames,
  request,
  letterhead,
  events,
  confirm: {
    asked: (topic: string) => `Somebody asked for this address to be told of the events of the topic ${topic}.`,
    askedOnly: (topic: string, only: string) =>
      `Somebody asked for this address to be told of the events of the topic ${topic}, but only of these: ${only}.`,
    more: (count: number) => inNumber(locale, count, { other: '# more, which the page names' }),
    address: 'If the button does not work, open this address:',
    otherwise: (days: number) =>
      inNumber(locale, days, {
        one: 'If you did not ask for this, do nothing: the request ends by itself in # day.',
        other: 'If you did not ask for this, do nothing: the request ends by itself in # days.',
      }),
    programs: (url: string) => `For programs: confirm with GET ${url}`,
    token: (token: string) => `Token: ${token}`,
  },
  status: {
    receiver: 'Receiver',
    topic: 'Topic',
    failure: 'Last failure',
    subscription: 'Subscription',
    failing: {
      heading: (receiver: string) => `Deliveries to ${receiver} are failing`,
      opening: (when: string) => `This receiver has accepted no event since ${when}.`,
      next:
        'Check the receiver. The registry keeps trying: when the receiver works again, waiting events ' +
        'arrive within minutes. If it keeps failing, the subscription may be paused.',
    },
    paused: {
      heading: (receiver: string) => `Deliveries to ${receiver} are paused`,
      opening: (when: string) => `The subscription is paused. Its receiver has accepted no event since ${when}.`,
      next:
        'Correct the receiver. Then subscribe its address again, confirm the new request, and recover ' +
        'the missed events.',
    },
    recovered: {
      heading: (receiver: string) => `Deliveries to ${receiver} work again`,
      opening: (when: string) => `This receiver has accepted events again since ${when}.`,
      next: 'You do not need to do anything. Waiting events arrive within minutes.',
    },
  },
  event: {
    subject: (topic: string, event: string) => `${topic}: ${event}`,
    named: (subject: string) => `Subject: ${subject}`,
    published: (topic: string, when: string) => `This event was published to the topic ${topic} on ${when}.`,
    test: 'Test of the subscription',
    tested: (topic: string) => `This is a test of the subscription to the topic ${topic}: nothing has happened.`,
    source: 'Reported by',
    others: 'Other fields of the event',
    empty: 'empty',
    continued: (words: string) => `${words}… (continued in the attachment)`,
    more: (count: number) =>
      inNumber(locale, count, {
        one: '# more field is in the attachment only.',
        other: '# more fields are in the attachment only.',
      }),
    attached: 'The event is attached as it was published.',
    hidden: 'This event cannot be shown in a mail. It is attached as it was published.',
    message: (id: string) => `Message id: ${id}`,
    subscribed: (topic: string) => `You receive this mail because this address is subscribed to the topic ${topic}.`,
    leave: 'Unsubscribe',
  },
};
