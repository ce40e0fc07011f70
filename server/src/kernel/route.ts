import type { Endpoint, InputOf, ListEndpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { CallContext, CommandContext, QueryContext } from './context'
import { exactly } from './exact'
import { type Asked, type Listing, MOST_COUNTED } from './list'

/** An endpoint and what answers it; the transport binds each endpoint of the contract to exactly one. */
export type Route =
  | { kind: 'open'; endpoint: Endpoint; run: (ctx: CallContext, input: unknown) => Promise<unknown> }
  | {
      kind: 'query'
      endpoint: Endpoint
      run: (ctx: QueryContext, input: unknown) => Promise<unknown>
      /** Of figures, which may be some seconds old: a replica answers where there is one. */
      isOfFigures?: true
    }
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

/** Reads that a replica may answer. */
export const ofFigures = (routes: readonly Route[]): Route[] =>
  routes.map((route) => (route.kind === 'query' ? { ...route, isOfFigures: true } : route))

type RowOf<L extends ListEndpoint> = OutputOf<L> extends { items: (infer Row)[] } ? Row : never
type SumsOf<L extends ListEndpoint> = OutputOf<L['count']> extends { sums?: infer Sums } ? Sums : never

/** Both calls of a list: a page of it, and how many rows there are. */
export function listOf<L extends ListEndpoint>(
  list: L,
  read: (ctx: QueryContext, filter: InputOf<L>) => ListingOf<L> | Promise<ListingOf<L>>,
): Route[] {
  const page: Run<QueryContext, Endpoint> = async (ctx, input) => {
    const { skip = 0, ...asked } = input as InputOf<L> & Asked & { skip?: number }
    const listing = await read(ctx, asked as unknown as InputOf<L>)
    if (skip === 0 || asked.cursor) return listing.page(ctx.db, asked)
    const { nextCursor } = await listing.page(ctx.db, { pageSize: skip })
    return nextCursor ? listing.page(ctx.db, { ...asked, cursor: nextCursor }) : { items: [], nextCursor: null }
  }
  const count: Run<QueryContext, Endpoint> = async (ctx, input) => {
    const { exact, ...filter } = input as { exact?: string }
    const listing = await read(ctx, { ...filter, pageSize: 1, sort: list.sorts[0] } as InputOf<L>)
    return exact ? exactly(ctx.db, (db) => listing.count(db, Infinity)) : listing.count(ctx.db, MOST_COUNTED)
  }
  return [query<Endpoint>(list, page), query<Endpoint>(list.count, count)]
}

export type ListingOf<L extends ListEndpoint> = Listing<RowOf<L>, SumsOf<L>>

/** A person's write: runs in `runCommand` with its transaction, idempotency key and audit. */
export function command<E extends Endpoint>(endpoint: E, run: Run<CommandContext, E>, keeps: Keeps = 'answer'): Route {
  if (!endpoint.writes) throw new RangeError(`${endpoint.name} does not say that it writes`)
  return { kind: 'command', endpoint, run: run as (ctx: CommandContext, input: unknown) => Promise<unknown>, keeps }
}
