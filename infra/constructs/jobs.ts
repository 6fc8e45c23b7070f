import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Job } from '../../shared/contract/background-functions.ts';
import { jobs } from '../../shared/contract/jobs.ts';
import type { Bundle } from '../build/bundle.ts';
import { accept } from './accepted-rules.ts';
import { grant, type Resources, settingVariables } from './grants.ts';
import { type ServiceFunction, serviceFunction } from './service-function.ts';

interface JobsProps extends Resources {
  readonly bundleOf: (file: string) => Bundle;
}

export class Jobs extends Construct {
  readonly functions: ServiceFunction[] = [];
  readonly entries: { readonly job: Job; readonly lambda: LambdaFunction }[] = [];

  constructor(scope: Construct, id: string, props: JobsProps) {
    super(scope, id);
    for (const job of jobs as readonly Job[]) {
      const lambda = serviceFunction(this, job.job, {
        settings: props.settings,
        bundle: props.bundleOf(job.file),
        description: `${job.everyMinutes ? 'Runs on a schedule' : 'Operators invoke it'}. While it fails: ${job.impact}`,
        timeoutSeconds: job.timeoutSeconds,
        ...(job.memoryMegabytes !== undefined && { memoryMegabytes: job.memoryMegabytes }),
        environment: settingVariables(job.reads, props.settings),
        impact: job.impact,
      });
      grant(lambda.lambda, job.uses, props);
      const period = job.everyMinutes && Duration.minutes(job.everyMinutes);
      this.functions.push(lambda);
      this.entries.push({ job, lambda: lambda.lambda });
      if (!period) continue;
      // Turns off retries of failed runs, and limits how long a throttled run can wait, because the next scheduled run
      // repeats the work.
      lambda.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: period });
      accept(lambda.lambda, 'jobFailures');
      const clock = new Rule(this, `${job.job}Clock`, {
        schedule: Schedule.rate(period),
        targets: [new LambdaTarget(lambda.lambda, { retryAttempts: 0 })],
      });
      accept(clock, 'missedRuns');
    }
  }

  lambdaOf({ job: name }: Job): LambdaFunction {
    const entry = this.entries.find(({ job }) => job.job === name);
    if (entry === undefined) throw new Error(`the job ${name} is not deployed`);
    return entry.lambda;
  }
}
