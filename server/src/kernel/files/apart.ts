import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Said } from './apart.answer'
import { refuse } from '../refuse'

/** Each takes a processor and up to `limits` of memory. */
const AT_ONCE = 2
const MOST_WAITING = 8
const MOST_WAITING_EACH = 2
const MOST_MS = 10_000
/** The second net: one allocation far beyond it would end the process, so what runs apart bounds what it takes in. */
const limits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 }

/** Built, a thread's file lies beside its caller; from sources it is made when it is first needed. */
const isBuilt = !import.meta.url.endsWith('.ts')

/**
 * Work on what somebody else made, in a thread with bounded memory and time, so that nobody else waits. Two at a time,
 * one of each person; what grows beyond the bounds is refused, and what can't be read is null.
 * @param from `import.meta.url` @param name of the worker's file beside it, without its ending
 */
export const apart =
  <I, O>(from: string, name: string) =>
  (input: I, userId: number): Promise<O | null> =>
    inTurn(userId, async () => {
      const worker = await start(new URL(`./${name}`, from), input)
      try {
        const said = await saidBy(worker)
        if (said === 'tooLarge') return refuse('file.tooLarge')
        return said === 'broken' ? null : (said.answer as O)
      } finally {
        await worker.terminate()
      }
    })

async function start(file: URL, input: unknown): Promise<Worker> {
  const options = { workerData: input, resourceLimits: limits }
  if (isBuilt) return new Worker(new URL(`${file.href}.js`), options)
  const made = sources.get(file.href) ?? madeOf(fileURLToPath(`${file.href}.ts`))
  sources.set(file.href, made)
  return new Worker(await made, { ...options, eval: true })
}

const sources = new Map<string, Promise<string>>()

async function madeOf(path: string): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, platform: 'node', write: false })
  return outputFiles[0]?.text ?? ''
}

const saidBy = (worker: Worker): Promise<Said> =>
  new Promise((resolve, reject) => {
    const patience = setTimeout(() => resolve('tooLarge'), MOST_MS)
    worker.once('message', resolve)
    // Out of memory, or of the stack.
    worker.once('error', (error) =>
      error instanceof RangeError || Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? resolve('tooLarge')
        : reject(error),
    )
    worker.once('exit', (code) => {
      clearTimeout(patience)
      reject(new Error(`the thread ended with ${code}`))
    })
  })

const waiting: { userId: number; go: () => void }[] = []
const atWork = new Set<number>()

/** Whatever takes much memory for what few bytes say. @throws Refusal when too many wait already */
export async function inTurn<T>(userId: number, work: () => Promise<T>): Promise<T> {
  const own = waiting.filter((each) => each.userId === userId)
  if (waiting.length >= MOST_WAITING || own.length >= MOST_WAITING_EACH) refuse('file.busy')
  await new Promise<void>((go) => {
    waiting.push({ userId, go })
    callNext()
  })
  try {
    return await work()
  } finally {
    atWork.delete(userId)
    callNext()
  }
}

function callNext(): void {
  const at = atWork.size < AT_ONCE ? waiting.findIndex(({ userId }) => !atWork.has(userId)) : -1
  const [next] = at < 0 ? [] : waiting.splice(at, 1)
  if (!next) return
  atWork.add(next.userId)
  next.go()
}
