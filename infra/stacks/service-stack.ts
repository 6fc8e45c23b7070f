import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { apiStage } from '../../shared/contract/api-stage.ts';
import { bucketQueues } from '../../shared/contract/buckets.ts';
import { jobOutput, namesOf } from '../../shared/contract/deployment-names.ts';
import { type QueueName, queues as queueMeanings } from '../../shared/contract/queue-names.ts';
import type { Bundle } from '../build/bundle.ts';
import { storedSchemas } from '../build/stored-schemas/stored-schemas.ts';
import { Api } from '../constructs/api.ts';
import { Domain } from '../constructs/domain.ts';
import { keyOf } from '../constructs/encryption.ts';
import { Jobs } from '../constructs/jobs.ts';
import { Mail } from '../constructs/mail.ts';
import { connectingFunctions, placeInNetwork } from '../constructs/place-in-network.ts';
import { Queues } from '../constructs/queues.ts';
import type { Tables } from '../constructs/tables.ts';
import { workerTimes } from '../constructs/worker-times.ts';
import { Workers } from '../constructs/workers.ts';
import type { DeploymentSettings } from '../settings/settings.ts';
import type { DataStack } from './data-stack.ts';
import type { FunctionNetwork } from './network-stack.ts';

const serviceQueues = (Object.keys(queueMeanings) as QueueName[]).filter((name) => !bucketQueues.includes(name));

interface ServiceStackProps extends StackProps {
  readonly settings: DeploymentSettings;
  readonly bundleOf: (file: string) => Bundle;
  readonly data: DataStack;
  readonly network?: FunctionNetwork;
}

/**
 * The stack that can be deleted and deployed again. The stack contains the API, the functions, and the queues to which
 * S3 sends no notifications.
 */
export class ServiceStack extends Stack {
  readonly tables: Tables;
  readonly queues: Queues;
  readonly api: Api;
  readonly workers: Workers;
  readonly jobs: Jobs;

  constructor(scope: Construct, id: string, { settings, bundleOf, data, network, ...props }: ServiceStackProps) {
    super(scope, id, props);
    // Stores the schemas in the template, so that the next release can be compared with this release.
    this.addMetadata('storedSchemas', storedSchemas);
    this.tables = data.tables;
    this.queues = new Queues(this, 'queues', {
      names: serviceQueues,
      others: data.queues,
      key: keyOf(this, settings.keyArn),
      visibilitySeconds: (queue) => workerTimes(queue, settings).visibilitySeconds,
    });
    new Mail(this, 'mail', {
      configurationSetName: namesOf(settings.stage).configurationSet,
      feedback: this.queues.byName.mailFeedback,
      deadLetters: this.queues.deadLetters.mailFeedback,
    });
    const { queues, tables } = this;
    const { secrets, documents } = data;
    const resources = { tables, queues, secrets, documents, settings };
    this.api = new Api(this, 'api', { ...resources, bundleOf });
    this.workers = new Workers(this, 'workers', {
      ...resources,
      bundleOf,
      baseUrl: this.api.baseUrl,
    });
    this.jobs = new Jobs(this, 'jobs', { ...resources, bundleOf });
    for (const { lambda } of [
      ...this.api.functions,
      this.api.authorize,
      ...this.workers.functions,
      ...this.jobs.functions,
    ]) {
      if (network && (settings.vpcFor === 'all' || connectingFunctions.has(lambda.node.id)))
        placeInNetwork(lambda, network);
    }
    if (settings.domainName !== '') new Domain(this, 'domain', { rest: this.api.rest, settings });
    for (const [name, { secretArn }] of Object.entries(secrets.byName)) {
      new CfnOutput(this, `${name}Secret`, { value: secretArn, description: `The ${name} secret` });
    }
    new CfnOutput(this, 'documentsBucket', {
      value: documents.byName.documents.bucketName,
      description: "Bucket for certificates and for the registry's import files",
    });
    new CfnOutput(this, 'exportedJournalBucket', {
      value: documents.byName.exportedJournal.bucketName,
      description: 'Bucket for the exported journal and the exported recipients of events',
    });
    for (const [name, { tableName }] of Object.entries(tables.byName)) {
      new CfnOutput(this, `${name}Table`, { value: tableName, description: `The table ${name}` });
    }
    for (const { job, lambda } of this.jobs.entries) {
      new CfnOutput(this, jobOutput(job), { value: lambda.functionName, description: `The job ${job.job}` });
    }
    for (const [name, queue] of Object.entries(queues.deadLetters)) {
      new CfnOutput(this, `${name}DeadLettersArn`, { value: queue.queueArn });
    }
    new CfnOutput(this, 'baseUrl', {
      value: this.api.baseUrl,
      description: `Base address of the API, before /${apiStage}`,
    });
    new CfnOutput(this, 'apiId', {
      value: this.api.rest.restApiId,
      description: 'Id of the API, for the base path mapping of your own domain',
    });
  }
}
