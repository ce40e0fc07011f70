import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  isKdfStrongEnough,
  type Kdf,
  type Keys,
  kdfText,
  keysFrom,
  passwordBytes,
} from '@aisle/contract/identity/signin'

const KEY_BYTES = 32

/** A text and no file of its own, so that it runs the same from sources and from the bundle. */
const WORK = `
  const { parentPort, workerData: { argon2, password, salt, options } } = require('node:worker_threads')
  import(argon2).then(({ argon2id }) => parentPort.postMessage(argon2id(password, salt, options)))`

/** `deriveKeys` of the contract in another thread: half a second in which this process goes on answering. */
export async function deriveApart(password: string, salt: Uint8Array, kdf: Kdf): Promise<Keys> {
  if (!isKdfStrongEnough(kdf)) throw new RangeError(`kdf outside the limits: ${kdfText(kdf)}`)
  const argon2 = pathToFileURL(createRequire(import.meta.url).resolve('@noble/hashes/argon2.js')).href
  const { m, t, p } = kdf
  const options = { m, t, p, version: 0x13, dkLen: KEY_BYTES }
  const workerData = { argon2, password: passwordBytes(password), salt: Uint8Array.from(salt), options }
  const worker = new Worker(WORK, { eval: true, workerData })
  try {
    return keysFrom(await answerOf(worker))
  } finally {
    await worker.terminate()
  }
}

const answerOf = (worker: Worker): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the deriving thread ended with ${code}`)))
  })
