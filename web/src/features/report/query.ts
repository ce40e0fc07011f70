import type { CallOf, Endpoint } from '@aisle/contract/kernel/endpoint'
import { getOverview } from '@aisle/contract/report/overview'
import { z } from 'zod'

/** What of an address another endpoint of the same report understands. */
export function known<E extends Endpoint>(endpoint: E, query: Readonly<Record<string, string>>): CallOf<E> {
  const shape = endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
  return Object.fromEntries(Object.entries(query).filter(([name]) => name in shape)) as CallOf<E>
}

/** The conditions of a report that lists of orders and refunds know as well. */
export function behind(query: Readonly<Record<string, string>>): Record<string, string> {
  const { against: _, ...search } = known(getOverview, query) as Record<string, string>
  return search
}
