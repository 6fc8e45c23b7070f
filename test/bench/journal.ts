import { setTimeout as sleep } from 'node:timers/promises';
import { startDynamodb } from '../../infra/local/aws/emulators/dynamodb.ts';
import { settings, settingVariable } from '../../shared/contract/settings.ts';
import { dynamo } from '../../shared/storage/dynamo.ts';
import { creationOf } from '../harness/create-table.ts';
import { apiEvent, context } from '../harness/lambda-events.ts';
import { loadPersons } from '../harness/load-persons.ts';
import { optionsOf } from './parts.ts';
import { type Comparison, comparisonRow, report } from './report.ts';
import { progressBar } from './terminal.ts';

// Measures what journal rows cost when persons are read. The functions use the embedded DynamoDB and alternate with the
// same functions without journal writes. `--away 4` adds 4 milliseconds to each call, to simulate a remote store. `npm
// run bench -- journal --rounds 21 --requests 60`

const { rounds, requests, away } = optionsOf('journal');
const uin = '123456789018';
const person = { firstName: 'Ada', lastName: 'King', dateOfBirth: '1815-12-10', gender: 2 };
const path = { uin };

const asks = {
  readPerson: { file: 'read-person', given: { path, query: 'attributeNames=firstName,dateOfBirth' } },
  matchPerson: { file: 'match-person', given: { path, body: '{"firstName":"Ada"}' } },
  verifyPerson: {
    file: 'verify-person',
    given: { path, body: '[{"attributeName":"gender","operator":"=","value":2}]' },
  },
  findPersons: { file: 'find-persons', given: { query: 'lastName=king&firstName=ada' } },
} as const;

type Handler = (event: ReturnType<typeof apiEvent>, its: typeof context) => Promise<{ statusCode: number }>;

const server = await startDynamodb(undefined);
const variables = Object.entries(settings).map(([name, { default: value }]) => [settingVariable(name as never), value]);
Object.assign(process.env, Object.fromEntries(variables), {
  AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  PERSONS_TABLE: 'persons',
  JOURNAL_TABLE: 'journal',
  LIMITS_TABLE: 'limits',
});

let isNoted = true;
// The baseline skips all writes. The measured functions write only to the journal.
dynamo().middlewareStack.add(
  (next, { commandName = '' }) =>
    async (request) => {
      if (!isNoted && /^(?:PutItem|BatchWriteItem)/.test(commandName))
        return { output: { $metadata: {} }, response: {} };
      if (away > 0) await sleep(away);
      return next(request);
    },
  { step: 'initialize', name: 'withoutJournal' },
);

/** Returns the milliseconds per request. The requests run one after another. */
async function timed(handler: Handler, given: Parameters<typeof apiEvent>[0], times: number): Promise<number> {
  const begun = performance.now();
  for (let index = 0; index < times; index++) {
    const event = apiEvent(given);
    event.requestContext.requestId = crypto.randomUUID();
    const { statusCode } = await handler(event, context);
    if (statusCode !== 200) throw new Error(`returned ${statusCode}`);
  }
  return (performance.now() - begun) / times;
}

const said = console.info;
try {
  for (const name of ['persons', 'journal', 'limits'] as const) await dynamo().send(creationOf(name, name));
  await loadPersons(dynamo(), 'persons', [{ uin, attributes: person }]);
  const found: Comparison[] = [];
  const bar = progressBar('operations', Object.keys(asks).length);
  for (const [operation, { file, given }] of Object.entries(asks)) {
    const { handler } = (await import(`../../functions/persons/${file}.ts`)) as { handler: Handler };
    const figures = { ours: [] as number[], baseline: [] as number[] };
    console.info = () => {};
    await timed(handler, given, 300);
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const)) {
        isNoted = side === 'ours';
        figures[side].push(await timed(handler, given, requests));
      }
    }
    console.info = said;
    found.push({ what: operation, unit: 'ms a request', ...figures, target: { atMost: 1.3 } });
    bar.at(found.length);
  }
  bar.end();
  const how = `${away > 0 ? `${away} ms added to each call, ` : ''}${rounds} alternating rounds of ${requests} requests, wall time, one request at a time; baseline: no journal writes`;
  await report('journal', how, found.map(comparisonRow), found);
} finally {
  dynamo().destroy();
  await server.stop();
}
