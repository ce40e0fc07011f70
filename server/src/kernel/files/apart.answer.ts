import { parentPort, workerData } from 'node:worker_threads'
import { Broken, TooLarge } from './zip'

/** What a thread says at its end. */
export type Said = { answer: unknown } | 'broken' | 'tooLarge'

/** The other side of `apart`: all that a worker's file does. */
export async function answerApart<I, O>(work: (input: I) => O | Promise<O>): Promise<void> {
  const say = (said: Said) => parentPort?.postMessage(said)
  try {
    say({ answer: await work(workerData as I) })
  } catch (error) {
    if (error instanceof TooLarge) return say('tooLarge')
    if (!(error instanceof Broken)) throw error
    say('broken')
  }
}
