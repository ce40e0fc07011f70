import { bodyOf } from '../../kernel/body'

/** A message as it leaves the house. */
export type Parcel = {
  id: number
  receiver: string
  title: string
  body: string
  /** In the order in which a provider numbers the parameters of its template; null: the body as a whole. */
  params: readonly (readonly [name: string, value: string])[] | null
  /** The provider's template, where the type has one of its own. */
  template: string | null
}

/** `isFinal`: trying again would end the same way. The reason is the provider's own word, for the outbox page. */
export type Carried = { isSent: true; reference: string } | { isSent: false; isFinal: boolean; reason: string }
export type Carry = (parcel: Parcel, now: Date) => Promise<Carried>

/** How long a provider may take to answer. */
export const CARRY_TIMEOUT_MS = 10_000

/** Parameters of an SMS template: those of the type, else the whole text as the one parameter `content`. */
export const paramsOf = ({ params, body }: Parcel): readonly (readonly [string, string])[] =>
  params && params.length > 0 ? params : [['content', body]]

/** No answer, or one that is no JSON: the provider or the way to it is down, which passes. */
export async function post(url: string, init: { headers: Record<string, string>; body: string }): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', ...init, signal: AbortSignal.timeout(CARRY_TIMEOUT_MS) })
  return answerOf(response)
}

/** An answer without end is none. */
const MOST_BYTES = 1024 * 1024
export const answerOf = async (response: Response): Promise<unknown> =>
  JSON.parse((await bodyOf(response, MOST_BYTES)).toString('utf8'))

/** What broke on the way, in a line. */
export function notCarried(cause: unknown): Carried {
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}`.slice(0, 200) : 'unknown'
  return { isSent: false, isFinal: false, reason }
}

export const textAt = (value: unknown, ...path: (string | number)[]): string => {
  let at = value
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  return typeof at === 'string' ? at : ''
}
