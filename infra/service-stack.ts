import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { sweep } from '../shared/contract/jobs.ts';
import { settings as settingSchemas } from '../shared/contract/settings.ts';
import { stage } from '../shared/contract/stage.ts';
import type { Bundle } from './bundle.ts';
import { Alarms } from './constructs/alarms.ts';
import { Api } from './constructs/api.ts';
import { Documents } from './constructs/documents.ts';
import { Jobs } from './constructs/jobs.ts';
import { Mail } from './constructs/mail.ts';
import { Queues } from './constructs/queues.ts';
import { Secrets } from './constructs/secrets.ts';
import { Tables } from './constructs/tables.ts';
import { Workers } from './constructs/workers.ts';
import { jobOutput } from './job-output.ts';
import type { DeploymentSettings } from './settings.ts';
import { workerTimes } from './worker-times.ts';

interface ServiceStackProps extends StackProps {
  readonly settings: DeploymentSettings;
  /** The bundle of a function's file. */
  readonly bundleOf: (file: string) => Bundle;
}

/** The whole service. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { settings, bundleOf, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const tables = new Tables(
      this,
      'tables',
      settingSchemas.warmWritesPerSecond.schema().parse(settings.warmWritesPerSecond),
    );
    const queues = new Queues(this, 'queues', {
      visibilitySeconds: (queue) => workerTimes(queue, settings).visibilitySeconds,
    });
    const secrets = new Secrets(this, 'secrets');
    new Mail(this, 'mail', {
      configurationSetName: settings.emailConfigurationSet,
      feedback: queues.byName.mailFeedback,
    });
    const documents = new Documents(this, 'buckets', {
      ledgerDays: settingSchemas.ledgerDays.schema().parse(settings.ledgerDays),
    });
    const resources = { tables, queues, secrets, documents, settings };
    const api = new Api(this, 'api', { ...resources, bundleOf });
    const workers = new Workers(this, 'workers', {
      ...resources,
      bundleOf,
      baseUrl: api.baseUrl,
    });
    const jobs = new Jobs(this, 'jobs', { ...resources, bundleOf });
    new Alarms(this, 'alarms', {
      queues,
      functions: [...api.functions, ...workers.functions, ...jobs.functions],
      authorize: api.authorize,
      sweep: jobs.lambdaOf(sweep),
    });
    for (const [name, { secretArn }] of Object.entries(secrets.byName)) {
      new CfnOutput(this, `${name}Secret`, { value: secretArn, description: `The ${name} secret` });
    }
    new CfnOutput(this, 'documentsBucket', {
      value: documents.byName.documents.bucketName,
      description: 'Bucket that the registry puts its certificates into',
    });
    new CfnOutput(this, 'deliveriesTable', {
      value: tables.byName.deliveries.tableName,
      description: 'The ledger of deliveries',
    });
    for (const { job, lambda } of jobs.entries) {
      new CfnOutput(this, jobOutput(job), { value: lambda.functionName, description: `The job ${job.job}` });
    }
    for (const [name, queue] of Object.entries(queues.deadLetters)) {
      new CfnOutput(this, `${name}DeadLettersArn`, { value: queue.queueArn });
    }
    new CfnOutput(this, 'baseUrl', {
      value: api.baseUrl,
      description: `Base address of the API: /${stage} follows it`,
    });
    new CfnOutput(this, 'apiId', {
      value: api.rest.restApiId,
      description: 'For the base path of a domain of your own',
    });
  }
}
