import type { CallOf, Endpoint } from '@aisle/contract/kernel/endpoint'
import { z } from 'zod'

/** What of an address another endpoint of the same report understands. */
export function known<E extends Endpoint>(endpoint: E, query: Readonly<Record<string, string>>): CallOf<E> {
  const shape = endpoint.input instanceof z.ZodObject ? endpoint.input.shape : {}
  return Object.fromEntries(Object.entries(query).filter(([name]) => name in shape)) as CallOf<E>
}
