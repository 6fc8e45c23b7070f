/** Name of API Gateway's own stage, which is the first segment of every public path: routes do not repeat it. */
export const apiStage = 'v1';

/** The resource that a public path has within the stage: `/uin` of `/v1/uin`. */
export const resourceOf = (path: `/${typeof apiStage}/${string}`): string => path.slice(`/${apiStage}`.length);
