import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { readStage } from '../settings/read-stage.ts';
import { endWith, lineOf, OptionError, readOrEnd } from './command-line.ts';
import { confirm } from './deploy/ask.ts';
import { readPlace } from './deploy/place.ts';
import type { Clients } from './restore/deployed-stage.ts';
import { readRestoreOptions, usage } from './restore/options.ts';
import { restore } from './restore/restore.ts';
import { readShapes } from './restore/shapes.ts';
import { nameInStage } from './restore/stage-file.ts';

const deployScript = fileURLToPath(new URL('deploy.ts', import.meta.url));

/** Runs `npm run deploy`, which shows the changes and asks for confirmation. */
async function deploy(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [deployScript, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new Error('the deployment failed: repair the cause, and run the same command again to continue');
}

const openClients = (region: string): Clients => ({
  cloudFormation: new CloudFormationClient({ region }),
  dynamodb: new DynamoDBClient({ region }),
  lambda: new LambdaClient({ region }),
  s3: new S3Client({ region }),
  secrets: new SecretsManagerClient({ region }),
  sqs: new SQSClient({ region }),
});

async function ask(stage: string, question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new OptionError('restoring requires confirmation: run the command in a terminal, or add --dry-run');
  return confirm(question, stage);
}

const options = readOrEnd(usage, () => readRestoreOptions(process.argv.slice(2)));
try {
  const { stage, account } = options;
  const settings = await readStage({ stage });
  const place = await readPlace(settings, account);
  await restore(options, {
    ...{ place, settings, deploy, clients: openClients(place.region), shapes: readShapes(settings) },
    nameInStage: (store, resource) => nameInStage(stage, store, resource),
    terminal: { say: (line) => console.log(line), confirm: (question) => ask(stage, question), sleep },
  });
} catch (error) {
  endWith(error, lineOf(error as Error));
}
