import { OptionError, parseArguments } from '../../infra/operate/command-line.ts';

export const usage = `npm run conformance -- [BASE URL] [OPTION]...

Tries every sentence of the interface, and of functions/README.md, against a running deployment, by nothing but HTTP.
Without a base URL: the stack that runs in this folder (npm start). It prints a table of sentences and exits with 1 when
one does not hold. A sentence that cannot be tried is listed with the reason.

  --token-command CMD    prints an access token, or the issuer's JSON with one, for the scopes in the variable SCOPES,
                         also written {scopes}. Left out: the issuer of the stack in this folder
  --receiver URL         where the deployment reaches --receiver-port of this machine. Left out: 127.0.0.1, for a local
                         deployment; for others what needs deliveries is not tried
  --receiver-port N      the port to listen on (8787)
  --mailbox ADDRESS      a mailbox that may be asked to confirm: one mail, with --inbox four
  --inbox URL            where those mails can be read: URL/store lists them as the inbox of npm start does. Left out: the
                         inbox of the stack in this folder; for others what mails say is not tried
  --document UIN/DOCTYPE a person who has a document of this type, of one page: it is read, and converted
  --only TEXT            the sentences that contain this, or whose section does
  --wait N               how many seconds a delivery may take to come (60)
  --smoke                a caller's journey first, which registers one person, and where that holds all the others; where
                         the deployment is not local, but for those that would register more
  --json                 one JSON object in place of the table
  --help                 says this

It makes topics, subscriptions and persons, all with a name that begins with "conformance" where it can. It takes away
the topics and subscriptions; about 70 persons cannot be taken away by the interface: run it where they do no harm, or
npm run smoke, which is this with --smoke.
`;

export interface Options {
  readonly baseUrl: string | undefined;
  readonly tokenCommand: string | undefined;
  readonly receiver: string | undefined;
  readonly receiverPort: number;
  readonly mailbox: string | undefined;
  readonly inbox: string | undefined;
  readonly document: { readonly uin: string; readonly doctype: string } | undefined;
  readonly only: string;
  readonly isSmoke: boolean;
  readonly waitSeconds: number;
  readonly isJson: boolean;
}

const options = {
  'token-command': { type: 'string' },
  receiver: { type: 'string' },
  'receiver-port': { type: 'string', default: '8787' },
  mailbox: { type: 'string' },
  inbox: { type: 'string' },
  document: { type: 'string' },
  only: { type: 'string', default: '' },
  wait: { type: 'string', default: '60' },
  smoke: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

function url(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new OptionError(`${text} is no address: begin with https://`);
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function number(name: string, text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new OptionError(`--${name} takes a number, not ${text}`);
  return Number(text);
}

function document(text: string | undefined): Options['document'] {
  if (text === undefined) return undefined;
  const [uin, doctype] = text.split('/');
  if (!uin || !doctype) throw new OptionError(`--document takes UIN/DOCTYPE, not ${text}`);
  return { uin, doctype };
}

/** What the arguments ask for; 'help' where they do. @throws OptionError */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values, positionals } = parseArguments(args, options, 'npm run conformance -- --help', 1);
  if (values.help) return 'help';
  return {
    baseUrl: url(positionals[0]),
    tokenCommand: values['token-command'],
    receiver: url(values.receiver),
    receiverPort: number('receiver-port', values['receiver-port']),
    mailbox: values.mailbox,
    inbox: url(values.inbox),
    document: document(values.document),
    only: values.only,
    isSmoke: values.smoke,
    waitSeconds: number('wait', values.wait),
    isJson: values.json,
  };
}
