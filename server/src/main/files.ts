import { type Files, filesIn } from '../kernel/files/store'
import type { Config } from './config'

/** The store that FILES_URL names, else the folder of this machine. */
export async function openFiles({ dataDir, store }: Pick<Config, 'dataDir' | 'store'>): Promise<Files> {
  if (!store) return filesIn(dataDir)
  const { filesInStore } = await import('../kernel/files/store.s3')
  return filesInStore(store)
}
