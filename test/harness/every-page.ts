import { mailContentOf } from '../../shared/delivery/email/message-content.ts';
import { renderMailHtml } from '../../shared/delivery/email/render-mail-html.ts';
import { renderMailText } from '../../shared/delivery/email/render-mail-text.ts';
import { ClientError } from '../../shared/domain/client-errors.ts';
import { composeMessage } from '../../shared/domain/deliveries/compose-message.ts';
import { statusEvent, statusTopicOf } from '../../shared/domain/subscriptions/status-event.ts';
import type { StatusNotice } from '../../shared/domain/subscriptions/subscription.ts';
import { hashToken } from '../../shared/domain/subscriptions/subscription-token.ts';
import { eventTypes } from '../../shared/domain/topics/event.ts';
import { statusTopicName } from '../../shared/domain/topics/topic.ts';
import type { Frame, MailFrame } from '../../shared/presentation/pages/letterhead.ts';
import { clientErrorPage, errorPage } from '../../shared/presentation/pages/page.ts';
import {
  confirmedPage,
  confirmPage,
  requestsStoppedPage,
  stopRequestsPage,
  unsubscribedPage,
  unsubscribePage,
} from '../../shared/presentation/pages/subscription-pages.ts';
import { aConfirmation, aNotification, aRequest, aSubscription, aTopic, noon, tokenOf } from './builders.ts';

const topic = aTopic({ name: 'Dakar-Plateau', uuid: 'c7e0e5a4-5d1c-8b5e-9d2b-1f6b0c1d2e3f', generation: 'g' });
const clerk = aSubscription(topic, { protocol: 'email', address: 'clerk@town.example', subjects: ['death'] });
const waiting = { ...clerk, isActive: false };
const settings = { baseUrl: 'https://registry.example', deliveryFormat: 'raw' } as const;
const subjects = [...eventTypes, 'recensement'];

/** Returns every page, keyed by a description. Together, the pages contain every page text in a catalogue. */
export function everyPage(frame: Frame): Record<string, string> {
  const { badLink } = frame.texts;
  const links = (['incomplete', 'confirm', 'expired', 'unsubscribe'] as const).map((name) => [
    `bad link, ${name}`,
    clientErrorPage(frame, new ClientError('invalidToken', badLink[name])),
  ]);
  return {
    confirm: confirmPage(frame, waiting, aRequest({ subjects: [] }), 'token'),
    'confirm, filtered': confirmPage(frame, waiting, aRequest({ subjects })),
    'confirm, changing': confirmPage(
      frame,
      clerk,
      aRequest({ subjects: [], countdownSeconds: 9, deliveryFormat: 'raw', caller: 'other' }),
      'token',
    ),
    'confirm, already confirmed': confirmPage(frame, clerk, aRequest({ subjects: ['death'] })),
    'confirm, about failing deliveries': confirmPage(
      frame,
      { ...waiting, topicName: statusTopicName },
      aRequest({ subjects: [] }),
      'token',
    ),
    confirmed: confirmedPage(frame, clerk),
    unsubscribe: unsubscribePage(frame, clerk),
    unsubscribed: unsubscribedPage(frame, clerk),
    'already unsubscribed': unsubscribedPage(frame, undefined),
    'stop requests': stopRequestsPage(frame),
    'requests stopped': requestsStoppedPage(frame),
    ...Object.fromEntries(links),
    refusal: clientErrorPage(frame, new ClientError('missingParameter', 'token is required in the query')),
    fault: errorPage(frame, 'f3b0c1d2-0000-4000-8000-000000000000'),
  };
}

interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Returns every kind of email, keyed by a description. Together, the emails contain every email text in a catalogue.
 */
export function everyMail(frame: MailFrame): Record<string, Letter> {
  const write = (message: Parameters<typeof mailContentOf>[1], recipient = clerk): Letter => {
    const content = mailContentOf(frame, message, recipient, 'https://registry.example/v1/leave?token=t');
    return { subject: content.subject, text: renderMailText(frame, content), html: renderMailHtml(frame, content) };
  };
  const asking = (given: Parameters<typeof aRequest>[0], of = waiting): Letter =>
    write(composeMessage(aConfirmation(clerk), '', settings), {
      ...of,
      requests: { [hashToken(tokenOf(clerk.uuid))]: aRequest(given) },
    });
  const telling = (body: string, given: Parameters<typeof aNotification>[1] = {}): Letter =>
    write(
      composeMessage(
        aNotification(topic, { messageId: '0193d1a4-7c1b-7a4e-9c55-0f3a5d2b7e61', ...given }),
        Buffer.from(body).toString('base64'),
        settings,
      ),
    );
  const aboutStatus = (state: StatusNotice['state']): Letter => {
    const lastFailure = { class: 'tls', code: 'CERT_HAS_EXPIRED', at: noon };
    const failing = aSubscription(topic, { address: 'https://receiver.example/hook?key=secret', lastFailure });
    const { body, ...event } = statusEvent(failing, { state, since: noon, at: noon }, statusTopicOf('client'));
    return telling(body, { ...event, topicName: statusTopicName });
  };
  const person = { source: 'CR-Plateau', uin: '123456789019', uin1: '223456789018', uin2: '323456789017' };
  const birth = { ...person, duplicates: ['423456789016', '523456789015'], hospital: 'Hôpital, Dakar', note: '' };
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`field${index}`, index]));
  return {
    'confirm, all': asking({ subjects: [] }),
    'confirm, filtered': asking({ subjects }),
    'confirm, changing': asking(
      { subjects: ['liveBirth'], countdownSeconds: 9, deliveryFormat: 'raw', caller: 'other' },
      clerk,
    ),
    'confirm, already receiving': asking({ subjects: ['death'] }, clerk),
    ...Object.fromEntries(eventTypes.map((subject) => [subject, telling(JSON.stringify(birth), { subject })])),
    'without an event type': telling(JSON.stringify({ ...many, note: 'x'.repeat(500) }), { subject: 'recensement' }),
    'a test': telling('{"source":"CR"}', { subject: 'test', isTest: true }),
    ...Object.fromEntries((['failing', 'paused', 'recovered'] as const).map((state) => [state, aboutStatus(state)])),
    'no JSON': telling(`Deux naissances\net un décès. ${'x'.repeat(2100)}`),
    'not displayable': telling(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  };
}
