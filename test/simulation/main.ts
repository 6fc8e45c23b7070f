import { parseArgs } from 'node:util';
import { endWith } from '../../infra/operate/command-line.ts';
import { chosenEdits, editsVariable } from './edits/mode.ts';

const usage = `npm run simulate -- [--subscribers 1000000] [--events 1] [--rate 100] [--receivers p50=80ms,hang=1%,down=2%] …

Runs the real delivery functions on a virtual clock, with DynamoDB, SQS, S3 and SES in memory, within the limits of an
AWS account with default quotas. All results are modelled. See test/simulation/README.md for their meaning.

  --subscribers N        confirmed http subscribers (1000000)
  --events N, --rate N   number of events, and events per second (1, 100)
  --receivers MIX        behaviour of receivers (p50=80ms,hang=1%,down=2%):
                         p50=80ms median response time, hang=1% never respond, down=2% refuse connections,
                         once=1% fail the first attempt
  --body 1KB             size of an event's body
  --concurrency N        concurrency of the account (1000)
  --minutes N            simulated time (30)
  --policy 3600,168      policy of every subscription: seconds between attempts, and number of retries
  --settings NAME=V,…    settings of the deployment to test, such as deliveryDays=365 or warmWritesPerSecond=12000
  --seed N               random seed (1). The same seed gives the same results

  --chaos                simulates random scenarios with random faults instead:
  --seeds N, --from K    number of seeds, and the first one (1000, 1)
  --jobs N               threads (one per core)
  --first                stops at the first seed that violates a promise
  --small                makes shards, segments and limits tiny, for up to 14 subscribers
  --trace                prints every step, in one thread

  --mutations            simulates seeds of both modes with each mutation of the engine, and prints which are caught
  --list, --only A,B     prints the names of the mutations, or tests only some of them

  --readme               runs the simulations of test/simulation/README.md, and writes each row when its run ends
  --only N               simulates only the Nth row, and keeps the other rows
`;

/** Runs the mode that the arguments select, and returns the exit code. */
async function simulate(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      chaos: { type: 'boolean' },
      small: { type: 'boolean' },
      mutations: { type: 'boolean' },
      readme: { type: 'boolean' },
    },
    strict: false,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.mutations) {
    const { mutationMode } = await import('./edits/score.ts');
    return mutationMode(args);
  }
  if (values.readme) {
    const { writeReadme } = await import('./scale/write-readme.ts');
    return writeReadme(args);
  }
  if (values.small) process.env[editsVariable] = [...chosenEdits(), 'small'].join(' ');
  // Edits must be registered before the modules that they change are loaded.
  if (chosenEdits().length > 0) await import('./edits/apply.ts');
  if (values.chaos) {
    const { href } = new URL('./chaos/chaos.ts', import.meta.url);
    const { chaosMode } = (await import(href)) as { chaosMode: (args: readonly string[]) => Promise<number> };
    return chaosMode(args);
  }
  const { scaleMode } = await import('./scale/main.ts');
  return scaleMode(args);
}

process.exit(await simulate(process.argv.slice(2)).catch(endWith));
