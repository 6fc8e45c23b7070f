import type { Properties } from '../../../harness/template.ts';

/** Returns the response to an AWS command; undefined to send the command to the embedded server. */
export type Respond = (input: Properties) => unknown;

interface Client {
  readonly middlewareStack: { add(middleware: unknown, options: object): void };
}

interface Call {
  readonly input: Properties;
}

/** Thrown where the process would be killed. */
export class Killed extends Error {}

const isWrite = (command: string): boolean => !/^(?:Describe|Get|BatchGet|List|Head|Scan|Query)/.test(command);

/** Counts the calls that change something, and interrupts the command after one of them. */
export interface Interruption {
  readonly written: string[];
  /** The number of the write after which the command is killed; undefined for no interruption. */
  killAfter?: number | undefined;
}

/** Lets AWS clients return these responses by command, without a network. */
export function record<C extends Client>(
  client: C,
  responses: Readonly<Record<string, Respond>>,
  interruption: Interruption,
): C {
  const middleware =
    (next: (call: Call) => Promise<unknown>, { commandName }: { readonly commandName: string }) =>
    async (call: Call) => {
      const command = commandName.replace(/Command$/, '');
      const output = await responses[command]?.(call.input);
      const result = output === undefined ? await next(call) : { output, response: {} };
      if (isWrite(command)) {
        interruption.written.push(command);
        if (interruption.written.length === interruption.killAfter) throw new Killed();
      }
      return result;
    };
  client.middlewareStack.add(middleware, { step: 'initialize' });
  return client;
}

/** Returns an error like those that AWS clients throw. */
export const failure = (name: string, message = name): Error => Object.assign(new Error(message), { name });
