import type { FileRow, RunRow, SourceRow } from './store.ts'

/** A sync source as the interface shows it. */
export const presentSource = (source: SourceRow) => ({
  id: source.id,
  object: 'sync_source' as const,
  kind: source.kind,
  name: source.name,
  status: source.status,
  failure: source.failure && { ...source.failure },
  version: source.version,
  created_at: source.createdAt.toISOString(),
  updated_at: source.updatedAt.toISOString(),
})

/** A run as the interface shows it. */
export const presentRun = (run: RunRow) => ({
  id: run.id,
  object: 'sync_run' as const,
  source_id: run.sourceId,
  mode: run.mode,
  status: run.status,
  total: run.total,
  processed: run.created + run.updated + run.skipped + run.failed,
  created: run.created,
  updated: run.updated,
  skipped: run.skipped,
  failed: run.failed,
  progress: run.progress,
  failure: run.failure && { ...run.failure },
  finished_at: run.finishedAt?.toISOString() ?? null,
  created_at: run.createdAt.toISOString(),
  updated_at: run.updatedAt.toISOString(),
})

/** An uploaded file as the interface shows it. */
export const presentFile = (file: FileRow) => {
  const { delimiter, header } = file.shape!
  return {
    id: file.id,
    object: 'sync_file' as const,
    source_id: file.sourceId,
    bytes: file.bytes,
    delimiter: delimiter as ',' | ';' | '\t' | '|',
    columns: header.map((name, at) => ({ header: name, field: file.fields![at] ?? null })),
    removes_at: file.removeAt!.toISOString(),
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
  }
}
