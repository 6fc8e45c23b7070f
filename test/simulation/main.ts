import { parseArgs } from 'node:util';
import { OptionError } from '../../infra/operate/command-line.ts';

const usage = `npm run simulate -- [--subscribers 1000000] [--events 1] [--rate 100] [--receivers p50=80ms,hang=1%,down=2%] …

The engine's own functions on a clock of their own, with DynamoDB, SQS, S3 and SES in memory, within the limits of an
ordinary AWS account. Everything that it prints is modelled; test/simulation/README.md says how to read it.

  --subscribers N        by http, confirmed (1000000)
  --events N, --rate N   events, and how many a second (1, 100)
  --receivers MIX        p50=80ms: median answer; hang=1%: never answer; down=2%: refuse; once=1%: refuse the first time (p50=80ms,hang=1%,down=2%)
  --mail N               subscribers by e-mail, besides (0)
  --mail-rate N          mails a second (14); --mail-quota N mails in --quota-hours (no quota, 24)
  --body 1KB             size of the event's body
  --delete-topic N       the topic is deleted N seconds after the last event
  --concurrency N        functions at once in the account (1000)
  --callers N            mints and reads a second, to see whether deliveries leave room for them (0)
  --minutes N            how much time passes (30)
  --policy 3600,168      of every subscription: seconds between attempts, and how often again
  --settings NAME=V,…    settings of the deployment, to try them: subscriptionsPerTask=10
  --lanes LANE=MxCxB,…   memory, copies at once and batch size of a lane, to try them: deliverByHttp=1769x500x10
  --warm NAME=N,…        writes a second that a table or an index is warm for: deliveries=8000,deliveries/bySweep=8000
  --seed N               chance (1); the same seed makes the same simulation

  --chaos                random topologies under random faults, in place of all that:
  --seeds N, --from K    how many, and the first (1000, 1)
  --jobs N               threads (one a core)
  --first                stops at the first seed that breaks a promise
  --trace                prints every step, in one thread
`;

/** Runs what the arguments ask for; answers the exit code. */
async function simulate(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, chaos: { type: 'boolean' } },
    strict: false,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.chaos) {
    const { href } = new URL('./chaos/chaos.ts', import.meta.url);
    const { chaosMode } = (await import(href)) as { chaosMode: (args: readonly string[]) => Promise<number> };
    return chaosMode(args);
  }
  const { scaleMode } = await import('./scale/main.ts');
  return scaleMode(args);
}

try {
  process.exit(await simulate(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exit(2);
}
