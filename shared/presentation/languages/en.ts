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
  never: 'Stop subscription requests to this address',
  begins: 'Nothing is sent until you confirm.',
  replaces: (changes: string) =>
    `This address already receives some of these events. Nothing changes until you confirm. Confirming changes ${changes}.`,
  repeats: 'This address already receives these events. Confirming changes nothing.',
  changes: {
    subjects: 'which events it receives',
    policy: 'how a failed delivery is repeated',
    deliveryFormat: 'the format of events that are sent to programs',
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
    lead: 'We received a request to notify this address about the events of this topic.',
    otherwise: (days: number) =>
      inNumber(locale, days, {
        one: 'If you did not request this, close this page. The request expires after # day.',
        other: 'If you did not request this, close this page. The request expires after # days.',
      }),
  },
  neverAsk: {
    title: 'Stop subscription requests to this address?',
    lead: 'This address will receive no more subscription requests. Subscriptions you have already confirmed will continue.',
    button: 'Stop requests',
    otherwise: 'To keep receiving requests, close this page.',
  },
  neverAsked: {
    title: 'Subscription requests are stopped',
    lead: 'From now on, other people cannot subscribe this address. Links you have already received still work.',
    otherwise: 'To undo this, contact the organisation that runs this service.',
  },
  confirmed: {
    title: 'Subscription confirmed',
    lead: 'From now on, events of this topic are sent to this address.',
    otherwise: 'Every email has a link to unsubscribe.',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    lead: 'Do you want to stop emails about the events of this topic to this address?',
    button: 'Unsubscribe',
    otherwise: 'To keep the subscription, close this page.',
  },
  unsubscribed: {
    title: 'You are unsubscribed',
    lead: 'We will send nothing more about this topic to this address.',
    gone: 'This subscription has ended. We will send nothing more to its address.',
  },
  badLink: {
    title: 'This link does not work',
    incomplete: 'The link is incomplete or altered. Open it again from the email.',
    confirm: 'The link is incomplete, altered or no longer the latest one. Open it again from the newest email.',
    expired: 'The link has expired. Request the subscription again. You will receive an email with a new link.',
    unsubscribe:
      'The link is incomplete, altered or too old. ' +
      'Open it again from a newer email, or ask the organisation that runs this service to end the subscription.',
  },
  fault: {
    title: 'Something went wrong',
    lead: 'The error is on our side. Please try again in a few minutes.',
    request: (id: string) => `If the problem continues, report this request: ${id}`,
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
    asked: (topic: string) => `We received a request to notify this address about the events of the topic ${topic}.`,
    askedOnly: (topic: string, only: string) =>
      `We received a request to notify this address about the events of the topic ${topic}, but only these: ${only}.`,
    more: (count: number) => inNumber(locale, count, { other: '# more, which the page lists' }),
    address: 'If the button does not work, open this address:',
    otherwise: (days: number) =>
      inNumber(locale, days, {
        one: 'If you did not request this, do nothing. The request expires in # day.',
        other: 'If you did not request this, do nothing. The request expires in # days.',
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
        'Check the receiver. The registry keeps trying. When the receiver works again, waiting events ' +
        'arrive within minutes. If it keeps failing, the subscription may be paused.',
    },
    paused: {
      heading: (receiver: string) => `Deliveries to ${receiver} are paused`,
      opening: (when: string) => `The subscription is paused. Its receiver has accepted no event since ${when}.`,
      next:
        'Repair the receiver. Then subscribe its address again, confirm the new request, and recover ' +
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
    tested: (topic: string) => `This is a test of the subscription to the topic ${topic}. Nothing has happened.`,
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
    hidden: 'This event cannot be shown in an email. It is attached as it was published.',
    message: (id: string) => `Message id: ${id}`,
    subscribed: (topic: string) => `You receive this email because this address is subscribed to the topic ${topic}.`,
    leave: 'Unsubscribe',
  },
};
