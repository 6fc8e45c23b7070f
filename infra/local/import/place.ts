import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { regionOf } from '../../settings/region.ts';
import type { LocalOutputs } from '../aws/template/outputs.ts';
import { outputsOf } from '../template/outputs-file.ts';

/** Where a stack takes files of changes, and tells how far it has come. */
export interface Place {
  readonly s3: S3Client;
  readonly bucket: string;
  /** Whether the bucket tells one version of a file from another. */
  readonly keepsVersions: boolean;
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  /** Where a file of the bucket can be read. */
  readonly addressOf: (key: string) => string;
}

/** @param StackName the stack of this name on AWS, by the credentials and region of the AWS tools */
export async function placeOnAws(StackName: string): Promise<Place> {
  const cloudformation = new CloudFormationClient({});
  await regionOf(cloudformation);
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName }));
  const outputOf = (name: string): string => {
    const value = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value === undefined) throw new Error(`the stack ${StackName} has no output ${name}: deploy it again`);
    return value;
  };
  const [bucket, table] = [outputOf('documentsBucket'), outputOf('personsTable')];
  const addressOf = (key: string): string => `s3://${bucket}/${key}`;
  return {
    ...{ s3: new S3Client({}), bucket, keepsVersions: true, addressOf },
    ...{ dynamodb: new DynamoDBClient({}), table },
  };
}

/** The laptop's stack that tells so of itself. */
export function placeOf({ s3Endpoint, dynamodbEndpoint, resources }: LocalOutputs): Place {
  const local = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const bucket = String(resources.buckets.documents);
  return {
    s3: new S3Client({ ...local, endpoint: s3Endpoint, forcePathStyle: true }),
    ...{ bucket, keepsVersions: false },
    dynamodb: new DynamoDBClient({ ...local, endpoint: dynamodbEndpoint }),
    table: String(resources.tables.persons),
    addressOf: (key) => `${s3Endpoint}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
  };
}

/** @param port of the laptop's stack, where several run */
export const placeHere = async (port: string | undefined): Promise<Place> => placeOf(await outputsOf(port));
