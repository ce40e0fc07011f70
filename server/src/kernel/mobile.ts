import { invalidPhone } from '@aisle/contract/identity/phone'
import { phoneRule } from '@aisle/contract/system/settings'
import type { CommandContext } from './context'
import { refuse } from './refuse'
import { settingOf } from './settings'
import { word } from './words'

/**
 * The schema takes the wider rule; where the platform chose the narrow one, this refuses more.
 * @throws Refusal request.invalid that names the field
 */
export async function refuseMobile(ctx: CommandContext, path: string, phone: string): Promise<void> {
  const rule = await settingOf(ctx.tx, phoneRule, ctx.actor.merchantId)
  if (!invalidPhone(phone, rule)) return
  refuse('request.invalid', {}, [{ path, reason: 'invalid', msg: word(ctx.language, 'kernel', `rule.mobile.${rule}`) }])
}
