import { type Running, run } from './main'

/** Whatever stops the start is said in words; its cause and stack only to who asks with LOG_LEVEL=debug. */
function sayWhy(cause: unknown): never {
  const lines: string[] = []
  for (let error: unknown = cause; error instanceof Error; error = error.cause) lines.push(error.message)
  console.error(lines.join('\n') || String(cause))
  if (process.env.LOG_LEVEL === 'debug') console.error(cause)
  process.exit(1)
}

// What this program and those that it starts write is for this user alone.
process.umask(0o077)
const started: Promise<Running> = run().catch(sayWhy)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Told twice, as by a terminal and by npm's end, it goes on stopping: the second time must not leave the database
  // behind.
  process.on(signal, () => {
    void started.then((running) => running.stop()).then(() => process.exit(0))
  })
}
await started
