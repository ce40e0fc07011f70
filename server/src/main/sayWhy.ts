/** Whatever stops a program is said in words; its cause and stack only to who asks with LOG_LEVEL=debug. */
export function sayWhy(cause: unknown): never {
  const lines: string[] = []
  for (let error: unknown = cause; error instanceof Error; error = error.cause) lines.push(error.message)
  console.error(lines.join('\n') || String(cause))
  if (process.env.LOG_LEVEL === 'debug') console.error(cause)
  process.exit(1)
}
