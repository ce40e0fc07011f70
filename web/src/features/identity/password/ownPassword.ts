import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getOwnPasswordParam } from '@aisle/contract/identity/password'
import { call } from '../../../live/call'
import { prove } from '../signIn/prove'
import { randomNonce } from '../signIn/signIn'

type Param = OutputOf<typeof getOwnPasswordParam>

/** Proves the own password once more, as at signing in; it does not leave the browser. */
export async function proveOwn(password: string): Promise<{ proof: string; param: Param }> {
  const cnonce = randomNonce()
  const param = await call(getOwnPasswordParam, { cnonce }, { errors: 'throw' })
  const { account, checkCode, cid, kdf, salt, snonce } = param
  const { origin } = location
  const proved = await prove({ password, origin, account, cid, checkCode, cnonce, snonce, salt, kdf })
  return { proof: proved.password, param }
}
