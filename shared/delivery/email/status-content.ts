import type { ComposedMessage } from '../../domain/deliveries/compose-message.ts';
import { isolated } from '../../presentation/languages/isolated.ts';
import type { MailFrame } from '../../presentation/pages/letterhead.ts';
import { eventObject, timeOf } from './event-content.ts';
import { asSubject, inLine, type MailContent, type Row } from './mail-content.ts';

/** Writes the email about the state of a subscription: the receiver, the time, the failure, and what to do. */
export function statusContent(frame: MailFrame, message: ComposedMessage, body: Buffer): MailContent {
  const { event: texts, status, request } = frame.texts;
  const { uuid, topic, receiver, since, class: kind, ...event } = eventObject(body.toString('utf8')) ?? {};
  const state = event.state === 'failing' || event.state === 'paused' ? event.state : 'recovered';
  const host = URL.parse(String(receiver))?.host ?? String(receiver);
  const when = isolated(timeOf(frame, String(since)));
  const failure = [kind, event.status, event.code].filter((part) => part !== undefined).join(' ');
  const rows: Row[] = [
    { label: frame.texts.address, value: inLine(host) },
    { label: status.topic, value: inLine(String(topic)) },
    ...(failure === '' ? [] : [{ label: status.failure, value: inLine(failure) }]),
    { label: status.subscription, value: isolated(String(uuid)) },
  ];
  const { heading, opening, next } = status[state];
  return {
    subject: asSubject(heading(inLine(host))),
    heading: heading(inLine(host)),
    opening: opening(when),
    rows,
    closing: next,
    notes: [
      texts.subscribed(frame.texts.writing.quoted(request.statusTopic)),
      texts.message(isolated(message.messageId)),
    ],
  };
}
