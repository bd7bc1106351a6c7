/** Where an uploaded file lies in the bucket. */
export const fileKey = (fileId: string) => `sync-files/${fileId}/file`

/** Where the refused rows of a run's slice lie. */
export const errorsKey = (fileId: string, runId: string, slice: number) =>
  `sync-files/${fileId}/errors/${runId}/${slice}`
