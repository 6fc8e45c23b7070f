import { Stack, type StackProps } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { AlarmTopics } from './constructs/alarm-topics.ts';
import { accountAlarms } from './constructs/alarms/account-alarms.ts';
import { ringIn } from './constructs/alarms/add-alarm.ts';
import { deliveryAlarms } from './constructs/alarms/delivery-alarms.ts';
import { requestAlarms } from './constructs/alarms/request-alarms.ts';
import { nightDashboard } from './constructs/dashboard/night-dashboard.ts';
import { type DeploymentSettings, settingValue } from './settings/settings.ts';
import type { ServiceStack } from './stacks/service-stack.ts';

interface ObservabilityStackProps extends StackProps {
  readonly settings: DeploymentSettings;
  readonly service: ServiceStack;
}

/** What watches the service: a stack of its own, since CloudFormation takes 500 resources in one. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { service, settings, ...props }: ObservabilityStackProps) {
    super(scope, id, props);
    const watched = { stage: settings.stage, settings, service };
    const topics = new AlarmTopics(this, 'told', {
      topicArn: settingValue(settings, 'alarmTopicArn'),
      email: settingValue(settings, 'alarmEmail'),
    });
    const alarms: IAlarm[] = [];
    const ring = ringIn(new Construct(this, 'alarms'), alarms, topics.of);
    requestAlarms(ring, watched);
    deliveryAlarms(ring, watched);
    accountAlarms(ring, watched);
    nightDashboard(this, watched, alarms);
  }
}
