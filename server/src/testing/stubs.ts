import { endpoints } from '@aisle/contract/endpoints'
import { command, open, query, type Route } from '../kernel/route'

const never = async (): Promise<never> => {
  throw new Error('not part of this test')
}

/** A route for each endpoint, so that the server binds; those of the test stand in for their own. */
export function routesWith(...own: readonly Route[]): Route[] {
  return endpoints.map((endpoint) => {
    const given = own.find((route) => route.endpoint === endpoint)
    if (given) return given
    if (endpoint.access === 'public') return open(endpoint, never)
    return endpoint.writes ? command(endpoint, never) : query(endpoint, never)
  })
}
