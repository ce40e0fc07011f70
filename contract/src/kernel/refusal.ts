/**
 * Expected refusals: each has a code `noun.reason`, an honest HTTP status, and a text `refusal.<code>` in the catalog
 * of the domain that declares it. Anything else that goes wrong is a bug and answers 500 with a `#` in its message.
 */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429 | 503

export type Refusals<C extends string> = { domain: string; codes: Record<C, RefusalStatus> }

const registry = new Map<string, { status: RefusalStatus; domain: string }>()

export function defineRefusals<const C extends string>(domain: string, codes: Record<C, RefusalStatus>): readonly C[] {
  for (const [code, status] of Object.entries<RefusalStatus>(codes)) registry.set(code, { status, domain })
  return Object.keys(codes) as C[]
}

/** Where a refusal's text and status are declared; undefined for a code that nobody declared. */
export const refusalOf = (code: string) => registry.get(code)
export const refusalCodes = (): string[] => [...registry.keys()]

/**
 * What any call may answer, declared once instead of on each endpoint.
 * S9999, B1000: specification §8. `request.busy` is the bug answer and carries the trace id.
 */
export const commonRefusals = defineRefusals('kernel', {
  S9999: 401,
  B1000: 401,
  'request.malformed': 400,
  'request.invalid': 422,
  'request.notFound': 404,
  'request.notPermitted': 403,
  'request.tooLarge': 413,
  'request.notJson': 415,
  'request.slowDown': 429,
  'request.keyMissing': 400,
  'request.keyReused': 409,
  /** Somebody saved the same row meanwhile: `fields` says what they changed, each with its value now. */
  'edit.stale': 409,
  /** What is in use can't be deleted: `fields` names what uses it. */
  'request.inUse': 409,
  /** More rows than can be counted while somebody waits. */
  'list.tooMuch': 422,
  'service.unavailable': 503,
})

/** Of a file that is unpacked or read as a sheet, apart from everything else. */
export const fileRefusals = defineRefusals('kernel', {
  /** What it unfolds to, not what it weighs. */
  'file.tooLarge': 413,
  'file.busy': 503,
})
export const SUCCESS = 'H0000' as const
export const BUG = 'request.busy'
