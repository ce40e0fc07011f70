import type { Setting } from '@aisle/contract/system/settings'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { moneyText } from '@aisle/contract/kernel/text'
import { useEndpoint } from '../../live/query'
import { useLanguage, useText } from '../../ui/text'

/** A value as words, for sentences about it. */
export function useValueWords(setting: Setting): (value: unknown) => string {
  const t = useText('system')
  const language = useLanguage()
  const isMerchant = setting.kind === 'merchant'
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent', staleTime: 60_000, enabled: isMerchant })
  return (value) => {
    if (value === null || value === undefined || value === '') return t('setting.none')
    if (typeof value === 'boolean') return t(value ? 'setting.on' : 'setting.off')
    if (setting.kind === 'choice') return t.any(`setting.${setting.key}.${String(value)}`)
    if (isWindow(value)) return `${value.from}–${value.to}`
    if (setting.kind === 'money' && typeof value === 'number') return moneyText(value, language)
    if (setting.kind === 'picture') return t('setting.aPicture')
    const merchant = isMerchant ? data?.items.find(({ id }) => id === value) : undefined
    return merchant?.name ?? String(value)
  }
}

export const isWindow = (value: unknown): value is { from: string; to: string } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value
