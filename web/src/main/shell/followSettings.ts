import { getClientSettings } from '@aisle/contract/system/setting'
import { useEffect } from 'react'
import { dataBeginsOn } from '../../ui/days'
import { mobileRuleIs } from '../../admin/form/mobile'
import { refetch, useEndpoint } from '../../live/query'
import { useTopic } from '../../live/topics'
import { putBrand } from '../../ui/brand/brand'
import { renewOthers } from '../../ui/text'

/** What administrators change holds in every open browser at once: brand, rules, the product's words. */
export function useFollowedSettings() {
  const settings = useEndpoint(getClientSettings, {}, { errors: 'silent', staleTime: Number.POSITIVE_INFINITY }).data
  useTopic('changes', ({ kinds }) => {
    const changed = Array.isArray(kinds) ? kinds : []
    const isAbout = (kind: string) => changed.length === 0 || changed.includes(kind)
    if (isAbout('setting')) void refetch(getClientSettings)
    if (isAbout('languageEntry')) void renewOthers()
  })
  useEffect(() => {
    if (!settings) return
    putBrand(settings.brand)
    dataBeginsOn(settings.dataBegins)
    mobileRuleIs(settings.phoneRule)
  }, [settings])
  return settings
}
