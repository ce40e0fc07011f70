import type { Endpoint, InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { CallContext, CommandContext, QueryContext } from './context'

/** An endpoint and what answers it; the transport binds each endpoint of the contract to exactly one. */
export type Route =
  | { kind: 'open'; endpoint: Endpoint; run: (ctx: CallContext, input: unknown) => Promise<unknown> }
  | { kind: 'query'; endpoint: Endpoint; run: (ctx: QueryContext, input: unknown) => Promise<unknown> }
  | {
      kind: 'command'
      endpoint: Endpoint
      run: (ctx: CommandContext, input: unknown) => Promise<unknown>
      keeps: Keeps
    }

/** What stays with the idempotency key. An answer that holds a secret is given once and kept nowhere. */
type Keeps = 'answer' | 'nothing'

type Run<C, E extends Endpoint> = (ctx: C, input: InputOf<E>) => Promise<OutputOf<E>>

/** A call that needs no session. */
export function open<E extends Endpoint>(endpoint: E, run: Run<CallContext, E>): Route {
  if (endpoint.access !== 'public') throw new RangeError(`${endpoint.name} needs a session`)
  return { kind: 'open', endpoint, run: run as (ctx: CallContext, input: unknown) => Promise<unknown> }
}

/** A read, or a write to the caller's own session. */
export function query<E extends Endpoint>(endpoint: E, run: Run<QueryContext, E>): Route {
  if (endpoint.access === 'public' || endpoint.writes) throw new RangeError(`${endpoint.name} is not a query`)
  return { kind: 'query', endpoint, run: run as (ctx: QueryContext, input: unknown) => Promise<unknown> }
}

/** A person's write: runs in `runCommand` with its transaction, idempotency key and audit. */
export function command<E extends Endpoint>(endpoint: E, run: Run<CommandContext, E>, keeps: Keeps = 'answer'): Route {
  if (!endpoint.writes) throw new RangeError(`${endpoint.name} does not say that it writes`)
  return { kind: 'command', endpoint, run: run as (ctx: CommandContext, input: unknown) => Promise<unknown>, keeps }
}
