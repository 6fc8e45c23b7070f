import { expect, it } from 'vitest';
import { renderMailText } from '../../../shared/delivery/email/render-mail-text.ts';
import { aMailFrame, fullLetterhead } from '../../harness/mail-frames.ts';

it('a plain-text email shows its parts in order and each link on its own line', () => {
  const text = renderMailText(aMailFrame('en', { letterhead: fullLetterhead }), {
    subject: 'CR: death',
    heading: 'Death',
    opening: 'A new event.',
    button: { url: 'https://registry.example/v1/confirm?token=t', label: 'Confirm', address: 'a' },
    rows: [
      { label: 'Child', value: '\u20681\u2069' },
      { label: 'Reported by', value: 'CR' },
    ],
    others: { heading: 'Others', rows: [{ label: 'id', value: '7' }], rest: 'And more.' },
    closing: 'Attached.',
    notes: ['Message id: 7'],
    link: { url: 'https://registry.example/v1/unsubscribe?token=t', label: 'Unsubscribe' },
  });
  expect(text).toBe(
    [
      ...['Death', 'A new event.', 'Confirm:\nhttps://registry.example/v1/confirm?token=t'],
      ...['  Child        1\n  Reported by  CR', 'Others:\n  id  7', 'And more.', 'Attached.'],
      '-- \nMessage id: 7\nCivil Registry of Utopia\nContact: help@registry.example\n' +
        'Privacy notice: https://registry.example/privacy\n' +
        'Unsubscribe: https://registry.example/v1/unsubscribe?token=t\n',
    ].join('\n\n'),
  );
});

it('a plain-text email marks each line of the event excerpt, so that the excerpt cannot imitate other parts', () => {
  const [heading, opening, excerpt] = ['Event', 'A new event.', 'first\n-- \r\nlast'];
  const text = renderMailText(aMailFrame('en'), {
    subject: '',
    heading,
    opening,
    rows: [],
    closing: '',
    notes: [],
    excerpt,
  });
  expect(text).toContain('\n\nA new event.\n\n> first\n> -- \n> last\n\n-- \n');
});

it('a plain-text email isolates only text that runs in the opposite direction', () => {
  const of = (heading: string) =>
    renderMailText(aMailFrame(), { subject: '', heading, opening: '', rows: [], closing: '', notes: [] });
  expect(of('of \u2068CR\u2069')).toContain('of CR\n');
  expect(of('of \u2068\u0633\u062c\u0644\u2069')).toContain('of \u2068\u0633\u062c\u0644\u2069\n');
});
