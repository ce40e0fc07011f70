import type { LoggerOptions } from 'pino'

export const logOptions = (level: string): LoggerOptions => ({ level, serializers: { err: safely, error: safely } })

/**
 * What helps to find a bug, without the row it happened on: PostgreSQL's `detail` and `where` quote people's data, and
 * a log is read and kept by others than the database.
 */
function safely(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { name, message, stack, cause } = thrown
  const facts = Object.fromEntries(
    ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine']
      .map((key) => [key, Reflect.get(thrown, key)] as const)
      .filter(([, value]) => value !== undefined),
  )
  return { name, message, ...facts, stack, ...(cause === undefined ? {} : { cause: safely(cause) }) }
}
