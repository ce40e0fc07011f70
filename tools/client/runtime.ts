/** Which calls there are, each with what it takes and answers. */
export type CallTable = Record<string, { input: unknown; output: unknown }>
/** Method, path with its placeholders, and whether it writes. */
export type Known = Readonly<Record<string, readonly [method: string, path: string, writes: boolean]>>

export type Name<C extends CallTable> = keyof C & string
/** Calls that answer a page of rows. */
export type ListName<C extends CallTable> = {
  [N in Name<C>]: C[N]['output'] extends { items: unknown[]; nextCursor: string | null } ? N : never
}[Name<C>]
export type RowOf<Output> = Output extends { items: (infer Row)[] } ? Row : never

export type ClientOptions = {
  /** Where the back office is, such as `https://aisle.example`. */
  url: string
  /** `aisle_live_…`, made under API keys. */
  key: string
  language?: 'zh' | 'en' | 'fr' | 'ko'
  /** How often a call is made again that met no answer, 429, 502, 503 or 504; 2 where it is left out. */
  retries?: number
  fetch?: typeof globalThis.fetch
}

export type Client<C extends CallTable> = {
  /**
   * Makes one call. A write is made under a key of its own, the same at each retry; hand in one that you keep to make
   * it again after a restart. @throws AisleError
   */
  call: <N extends Name<C>>(
    name: N,
    input?: C[N]['input'],
    options?: { idempotencyKey?: string },
  ) => Promise<C[N]['output']>
  /** All rows of a list, page by page as they are asked for. @throws AisleError */
  rows: <N extends ListName<C>>(
    name: N,
    input?: C[N]['input'],
  ) => AsyncGenerator<RowOf<C[N]['output']>, void, undefined>
}

export type FieldProblem = { path: string; reason: string; msg: string; now?: unknown }
type Failure = { code: string; msg: string; traceId: string; fields?: readonly FieldProblem[] }

/** Of a refusal, or of a fault of the server: `code` for programs, `msg` for people, in the language asked for. */
export class AisleError extends Error {
  readonly code: string
  readonly msg: string
  readonly traceId: string
  readonly fields: readonly FieldProblem[]

  constructor(
    readonly call: string,
    readonly status: number,
    { code, msg, traceId, fields = [] }: Failure,
  ) {
    super(`${call}: ${msg} (${code})`)
    this.name = 'AisleError'
    this.code = code
    this.msg = msg
    this.traceId = traceId
    this.fields = fields
  }
}

type Page = { items: unknown[]; nextCursor: string | null }
type Fields = Record<string, unknown>

export function clientOf<C extends CallTable>(known: Known, options: ClientOptions): Client<C> {
  const call = async (name: string, input: unknown = {}, { idempotencyKey = crypto.randomUUID() as string } = {}) => {
    const found = known[name]
    if (!found) throw new TypeError(`${name} is no call of this interface`)
    const [method, path, writes] = found
    const { address, rest } = filled(path, input as Fields)
    const url = new URL(address, options.url)
    if (method === 'GET') for (const [field, value] of rest) url.searchParams.set(field, String(value))
    const request = {
      method,
      headers: {
        authorization: `Bearer ${options.key}`,
        'accept-language': options.language ?? 'en',
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(writes ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
    }
    const answer = await asked(url, request, options, method === 'GET' || writes)
    const body = (await answer.json().catch(() => unread(answer))) as Failure & { data?: unknown }
    if (!answer.ok) throw new AisleError(name, answer.status, body)
    return 'data' in body ? body.data : body
  }
  async function* rows(name: string, input: unknown = {}) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = (await call(name, { pageSize: 200, ...(input as Fields), cursor })) as Page
      yield* page.items
      cursor = page.nextCursor
    }
  }
  return { call, rows } as Client<C>
}

function filled(path: string, input: Fields): { address: string; rest: [string, unknown][] } {
  const inPath = new Set<string>()
  const address = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    inPath.add(field)
    return encodeURIComponent(String(input[field]))
  })
  const rest = Object.entries(input).filter(([field, value]) => value !== undefined && !inPath.has(field))
  return { address, rest }
}

const passing = new Set([429, 502, 503, 504])
const isPassing = (answer: Response | undefined): boolean => !answer || passing.has(answer.status)

/** Again after what the server said, or ever longer; a write under the same key, so that nothing is done twice. */
async function asked(
  url: URL,
  request: RequestInit,
  { retries = 2, fetch = globalThis.fetch }: ClientOptions,
  mayRepeat: boolean,
): Promise<Response> {
  for (let tried = 0; ; tried += 1) {
    const isLast = tried >= retries || !mayRepeat
    const answer = await fetch(url, request).catch((cause: unknown) => {
      if (isLast) throw cause
      return undefined
    })
    if (answer && (isLast || !isPassing(answer))) return answer
    const seconds = Number(answer?.headers.get('retry-after') ?? 2 ** tried / 2)
    await new Promise((done) => setTimeout(done, seconds * 1000))
  }
}

/** What stands between us and the server answered in its own words. */
const unread = ({ statusText }: Response): Failure => ({ code: 'answer.unread', msg: statusText, traceId: '' })
