/** An S3 event message about the given objects (see "Event message structure" in the Amazon S3 User Guide). */
export const aBucketEvent = (...keys: readonly string[]) => ({
  Records: keys.map((key, index) => ({
    eventVersion: '2.1',
    eventSource: 'aws:s3',
    awsRegion: 'eu-west-1',
    eventTime: '2026-11-20T08:00:00.000Z',
    eventName: 'ObjectCreated:Put',
    s3: {
      s3SchemaVersion: '1.0',
      configurationId: 'documents',
      bucket: { name: 'documents', arn: 'arn:aws:s3:::documents' },
      object: {
        key: encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/'),
        size: 1024,
        eTag: 'd41d8cd98f00b204e9800998ecf8427e',
        sequencer: `00${index}A1B2C3D4E5F678`,
      },
    },
  })),
});

/** The test message that S3 sends when bucket notifications are configured. */
export const aTestMessage = {
  Service: 'Amazon S3',
  Event: 's3:TestEvent',
  Time: '2026-11-20T08:00:00.000Z',
  Bucket: 'documents',
  RequestId: '5582815E1AEA5ADF',
  HostId: '8cLeGAmw098X5cv4Zkwcmo8vvZa3eH3eKxsPzbB9wrR',
};
