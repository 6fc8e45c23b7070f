/** The name of the API Gateway stage, which is the first segment of every public path. */
export const apiStage = 'v1';

/** Returns the resource path within the stage: `/uin` for `/v1/uin`. */
export const resourceOf = (path: `/${typeof apiStage}/${string}`): string => path.slice(`/${apiStage}`.length);
