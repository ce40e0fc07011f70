import { type Running, run } from './main'
import { sayWhy } from './sayWhy'

/** Runs until somebody stops it. @param pages of the application, where they are still being built */
export async function start(pages?: Promise<unknown>): Promise<void> {
  // What this program and those that it starts write is for this user alone.
  process.umask(0o077)
  const started: Promise<Running> = run(process.env, console.log, pages).catch(sayWhy)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Told twice, as by a terminal and by npm's end, it goes on stopping: the second time must not leave the database
    // behind.
    process.on(signal, () => {
      void started.then((running) => running.stop()).then(() => process.exit(0))
    })
  }
  await started
}
