import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Files, Folder } from './store'

/** Of S3 or whatever speaks its language; `url` names the bucket as `https://host/bucket`. */
export type StorePlace = { url: string; accessKeyId: string; secretAccessKey: string; region: string }

/** A part of an upload, of which some are in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024
const A_PAGE = 1_000

/** Keys are `pictures/<name>` and so on. Loaded when it is asked for, as its client is. */
export async function filesInStore({ url, ...access }: StorePlace): Promise<Files> {
  const { S3mini } = await import('s3mini')
  const store = new S3mini({ endpoint: url, ...access, minPartSize: PART_BYTES })
  const keyOf = (folder: Folder, name: string) => `${folder}/${name}`
  const sizeOf: Files['sizeOf'] = async (folder, name) => {
    const key = keyOf(folder, name)
    return (await store.objectExists(key)) ? store.getContentLength(key) : undefined
  }
  return {
    sizeOf,
    read: async (folder, name, part) => {
      // Its end is one behind the last byte.
      const answer = part
        ? await store.getObjectRaw(keyOf(folder, name), false, part.from, part.to + 1)
        : await store.getObjectRaw(keyOf(folder, name))
      if (!answer.body) throw new Error(`the store has no ${folder}/${name}`)
      return Readable.fromWeb(answer.body as ReadableStream)
    },
    keep: async (folder, name, bytes) => {
      await store.putAnyObject(keyOf(folder, name), bytes)
    },
    take: async (folder, name, path) => {
      await store.putAnyObject(keyOf(folder, name), await openAsBlob(path))
      await rm(path, { force: true })
    },
    remove: async (folder, name) => {
      await store.deleteObject(keyOf(folder, name))
    },
    list: async (folder, prefix = '') => {
      const names: string[] = []
      const within = `${folder}/`
      let next: string | undefined
      do {
        const page = await store.listObjectsPaged('/', within + prefix, A_PAGE, next)
        if (!page) throw new Error('the store has no such bucket')
        names.push(...(page.objects ?? []).map(({ Key }) => Key.slice(within.length)))
        next = page.nextContinuationToken
      } while (next)
      return names
    },
  }
}
