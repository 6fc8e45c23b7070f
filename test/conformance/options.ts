import { OptionError, parseArguments } from '../../infra/operate/command-line.ts';
import type { StoredDocument } from './deployment.ts';

export const usage = `npm run conformance -- [BASE URL] [OPTION]...

Checks every requirement of the interface and of functions/README.md against a running deployment, only over HTTP.
The default deployment is the stack that runs in this folder (npm start). The command prints a table of requirements and
exits with 1 if one is not met. It skips requirements that it cannot check, with the reason.

  --token-command CMD    a shell command that prints an access token, or an issuer's JSON with one, for the scopes in the
                         variable SCOPES, also written {scopes}. Default: the issuer of the stack in this folder
  --receiver URL         the URL at which the deployment reaches --receiver-port of this machine. Default: 127.0.0.1 for a
                         local deployment. Without it, other deployments skip everything about deliveries
  --receiver-port N      the port to listen on (8787)
  --mailbox ADDRESS      a mailbox for confirmation requests: one email, or four with --inbox
  --inbox URL            where these emails can be read. URL/store lists them as the inbox of npm start does. Default: the
                         inbox of the stack in this folder. Without it, other deployments skip the content of emails
  --document UIN/DOCTYPE/SECONDARYUIN
                         the UINs of the persons and the type of a one-page document about two persons, which is read and
                         converted. Without /SECONDARYUIN, the document is about one person and one requirement is skipped
  --only TEXT            only requirements whose text or section contains TEXT
  --wait N               how long to wait for a delivery, in seconds (60)
  --smoke                checks a client journey first, which registers one person. If it passes, checks everything else.
                         On a deployment that is not local, skips what registers more persons
  --json                 prints one JSON object instead of the table
  --help                 prints this text

The checks create topics, subscriptions and persons whose names start with "conformance" where possible. They remove the
topics and subscriptions. The API cannot remove the about 60 persons, so use a deployment where they do no harm, or run
npm run smoke, which adds --smoke.
`;

export interface Options {
  readonly baseUrl: string | undefined;
  readonly tokenCommand: string | undefined;
  readonly receiver: string | undefined;
  readonly receiverPort: number;
  readonly mailbox: string | undefined;
  readonly inbox: string | undefined;
  readonly document: StoredDocument | undefined;
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
    throw new OptionError(`${text} is not a URL that starts with https://`);
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function number(name: string, text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new OptionError(`--${name} needs a number, not ${text}`);
  return Number(text);
}

function document(text: string | undefined): Options['document'] {
  if (text === undefined) return undefined;
  const [uin, doctype, secondaryUin] = text.split('/');
  if (!uin || !doctype) throw new OptionError(`--document needs UIN/DOCTYPE/SECONDARYUIN or UIN/DOCTYPE, not ${text}`);
  return { uin, doctype, secondaryUin };
}

/** Parses the arguments. Returns 'help' if `--help` is given. @throws OptionError if an argument is invalid */
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
