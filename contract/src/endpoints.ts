import type { Endpoint } from './kernel/endpoint'
import { manifests } from './manifests'

/** Every endpoint of the product; the server binds each once or does not start, tests and OpenAPI walk this list. */
export const endpoints: readonly Endpoint[] = manifests.flatMap((each) => each.endpoints)
