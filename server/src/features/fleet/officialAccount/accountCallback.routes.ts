import type { Services } from '../../../kernel/context'
import type { RawAnswer, RawCall, RawRoute } from '../../../kernel/rawRoute'
import { unseal } from '../../../kernel/seal'
import { followEventIn, isFromWechat } from './accountCallback.rules'
import { findCalled, keepFollower } from './accountCallback.store'

const path = '/api/wechat/:key'

/** What WeChat tells of an official account by itself, in plain mode. Described in decisions 0029. */
export const rawRoutes: readonly RawRoute[] = [
  { method: 'GET', path, run: prove },
  { path, run: hear },
]

export const callbackPath = (key: string): string => path.replace(':key', key)

/** The one about whom we are told has a name of ours in the address; what opens it is sealed. */
export const tokenAbout = (id: number): string => `officialAccountToken:${id}`

const text = (status: number, body: string): RawAnswer => ({ status, type: 'text/plain', body })

/** Asked once, when the address is entered at WeChat: whoever knows the token says the word back. */
async function prove(services: Services, call: RawCall): Promise<RawAnswer> {
  const account = await callerOf(services, call)
  const word = queryOf(call).get('echostr') ?? ''
  return account !== null && /^[\w-]{1,64}$/.test(word) ? text(200, word) : text(403, 'not from WeChat')
}

async function hear(services: Services, call: RawCall): Promise<RawAnswer> {
  const account = await callerOf(services, call)
  if (account === null) return text(403, 'not from WeChat')
  const event = followEventIn(call.body)
  if (event) await keepFollower(services.db, account, event)
  // To anything else it would say to the customer that the account is broken.
  return text(200, 'success')
}

const queryOf = ({ url }: RawCall): URLSearchParams => new URL(url, 'http://localhost').searchParams

/** @returns the id of the account; null for whoever does not know its token */
async function callerOf({ db, keys, clock }: Services, call: RawCall): Promise<number | null> {
  const account = await findCalled(db, call.params.key ?? '')
  if (!account) return null
  const query = queryOf(call)
  const [signature = '', timestamp = '', nonce = ''] = ['signature', 'timestamp', 'nonce'].map(
    (name) => query.get(name) ?? '',
  )
  const token = unseal(keys, tokenAbout(account.id), account.token)
  return isFromWechat(token, { signature, timestamp, nonce }, clock.now()) ? account.id : null
}
