import type { Made, ProveTask, VerifierTask } from './prove.worker'

/** The server is not to be trusted with a password: it asks for too little work, or does not know the verifier. */
export class SignInStopped extends Error {
  readonly reason: 'weak' | 'server'

  constructor(reason: 'weak' | 'server') {
    super(reason)
    this.name = 'SignInStopped'
    this.reason = reason
  }
}

/** @throws SignInStopped when the server asks for too weak a protection */
export const prove = (task: Omit<ProveTask, 'kind'>) => ask({ kind: 'prove', ...task })

/** What sets a password without showing it. @throws SignInStopped as `prove` does */
export const makeVerifier = async (task: Omit<VerifierTask, 'kind'>): Promise<string> =>
  (await ask({ kind: 'verifier', ...task })).password

let worker: Worker | null = null

/** Before it is needed: loading the worker then costs nothing after the click. */
export function wakeWorker(): Worker {
  worker ??= new Worker(new URL('./prove.worker.ts', import.meta.url), { type: 'module' })
  return worker
}

async function ask(task: ProveTask | VerifierTask) {
  const made = await answerTo(task)
  if (!('fault' in made)) return made
  if (made.fault === 'weak') throw new SignInStopped('weak')
  throw new Error('the worker could not do it')
}

function answerTo(task: ProveTask | VerifierTask): Promise<Made> {
  const working = wakeWorker()
  return new Promise((resolve, reject) => {
    working.onmessage = ({ data }: MessageEvent<Made>) => resolve(data)
    working.onerror = () => {
      working.terminate()
      worker = null
      reject(new Error('the worker could not start'))
    }
    working.postMessage(task)
  })
}
